"""Programs to read and to change: nothing of the project imports them."""
