"""Results of two targets, in a directory: gpu.json, cpu.json."""

import json
import pathlib
import sys


def record(kernel, target, rate, share, intensity=None):
    made = {"kernel": kernel, "suite": "brick", "type": "f64", "variant": "contract", "extents": [64, 64, 64]}
    made |= {"target": "cuda" if target else "cpu", "schedule": "", "device": {"name": target} if target else {}}
    made["bench"] = {"gstencil_per_s": rate, "gb_per_s": 16 * rate}
    made["roofline"] = {
        "bandwidth": 4e12,
        "peak": 3e13,
        "intensity": 0.5,
        "flops_per_update": 8,
        "share": share,
    }
    if intensity:
        made["profile"] = {"share_of_intensity": intensity}
    return made


directory = pathlib.Path(sys.argv[1])
gpu = [("brick_star7p", 200, 0.8, 0.9), ("brick_star13p", 100, 0.5, 0.7), ("brick_star25p", 50, 0.25, 0.4)]
(directory / "gpu.json").write_text(json.dumps([record(k, "NVIDIA H200", *rest) for k, *rest in gpu]))
failed = {"kernel": "brick_star13p", "target": "cpu", "variant": "contract", "error": "out of memory"}
(directory / "cpu.json").write_text(json.dumps([record("brick_star7p", "", 1, 0.4), failed]))
