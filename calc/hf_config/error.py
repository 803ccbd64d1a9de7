"""The one way in which reading a config.json ends without a model."""

from __future__ import annotations


class ConfigError(ValueError):
    """A config.json that says too little, or nonsense: one sentence that names the field."""
