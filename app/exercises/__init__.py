"""Exercises: read from a file, and answered by the arithmetic."""
