"""What an architecture weighs and caches, and which one usually goes with a size."""
