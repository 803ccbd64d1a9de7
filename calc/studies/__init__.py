"""Many evaluations, one answer."""
