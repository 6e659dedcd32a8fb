"""Results of which the second one is damaged, each in another way.

usage: damage.py FROM.json TO    (writes TO-extents.json, TO-rate.json, TO-target.json)
"""

import json
import pathlib
import sys

text = pathlib.Path(sys.argv[1]).read_text()
for name in ("extents", "rate", "target"):
    records = json.loads(text)
    if name == "extents":
        records[1]["extents"] = 64
    elif name == "rate":
        records[1]["bench"]["gstencil_per_s"] = float("nan")
    else:
        records[1]["target"] = 3
    pathlib.Path(f"{sys.argv[2]}-{name}.json").write_text(json.dumps(records))
