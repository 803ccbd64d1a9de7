"""One arithmetic for Python and browser: run `calc` on symbols, print what it does."""
