"""The page around `calc`: tracing, controls, figures, export, serving."""
