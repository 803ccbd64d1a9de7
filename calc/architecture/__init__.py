"""What an architecture weighs, and which one usually goes with a size."""
