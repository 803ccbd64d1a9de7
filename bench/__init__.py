"""What `make bench` runs: ratios measured in one run, never a pass or a fail."""
