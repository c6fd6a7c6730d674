"""What groundwire costs, measured; ``python -m benchmarks`` prints every figure (README.md)."""
