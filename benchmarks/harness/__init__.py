"""What benchmarks/suite and benchmarks/draw are made of. Python's standard library is enough, but for plots."""
