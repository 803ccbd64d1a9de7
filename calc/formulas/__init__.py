"""The arithmetic, one subject a file: plain NumPy on numbers, arrays or symbols.

A parameter that is called a `quantity` is what the field of its name is, in `calc.scenario` or
`calc.report`: label and unit stand there, and in docs/names.md.
"""
