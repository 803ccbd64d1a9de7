"""What people set, by what it is about; `table` has all of it."""
