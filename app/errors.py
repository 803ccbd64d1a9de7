"""What goes wrong through no fault of the program."""


class InputError(ValueError):
    """A value that an input does not take: says which, and what is allowed."""
