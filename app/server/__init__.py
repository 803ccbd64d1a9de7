"""The exported page, served: needs Tornado alone."""
