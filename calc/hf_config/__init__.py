"""A model from its `config.json`."""
