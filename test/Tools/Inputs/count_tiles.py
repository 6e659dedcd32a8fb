"""Prints how many tiles (block, points, accumulation) are among the first candidates: count_tiles.py COUNT < candidates."""

import re
import sys

tiles = [re.findall(r"(?:block|points) = \[[0-9, ]+\]|accumulate = \w+", line) for line in sys.stdin if "block" in line]
print(len({tuple(tile) for tile in tiles[: int(sys.argv[1])]}), "tiles")
