"""The arithmetic, one subject a file: plain NumPy on numbers, arrays or symbols."""
