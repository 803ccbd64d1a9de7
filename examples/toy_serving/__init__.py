"""A toy serving loop that really decodes: contiguous cache or blocks, batches or free slots.

README.md says what to read in which order, and what to expect.
"""
