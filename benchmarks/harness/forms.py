"""Forms of a program: stencil-run is called for each, and they are timed in turns."""

import json
import math
import pathlib

from .tools import call


class Caller:
    """Calls stencil-run for a program as the command line's `options` say, compiling each form once.

    `fields` is what each array has at the beginning, as of --arg; the argument behind them is the number of steps.
    `flags` are those of all calls.
    """

    def __init__(self, options, program, fields, scratch, flags=()):
        self.options, self.program, self.fields, self.flags = options, program, fields, flags
        self.scratch = pathlib.Path(scratch)

    def run(self, extents, steps, *flags):
        """stencil-run's report."""
        o, file = self.options, self.scratch / "report.json"
        command = [o.bin / "stencil-run", self.program, "--target", o.target, "--extents", ",".join(map(str, extents))]
        for number, value in enumerate([*self.fields, steps]):
            command += ["--arg", f"{number}={value}"]
        command += ["--json", file, "--cache-dir", self.scratch / "compiled"]
        if o.target == "emulator" or o.chip:
            command += ["--chip", o.chip or "sm_90"]
        call([*command, *self.flags, *flags])
        return json.loads(file.read_text())

    def get_fields(self, extents, steps, *flags):
        """The arrays behind the run."""
        import numpy

        files = [self.scratch / f"field-{i}.npy" for i in range(len(self.fields))]
        outputs = [word for i, file in enumerate(files) for word in ("--out", f"{i}={file}")]
        self.run(extents, steps, *outputs, *flags)
        return [numpy.load(file) for file in files]

    def measure(self, extents, forms, fewest):
        """GStencil/s of each call, and the steps of one, by form. `forms` are flags by name; a call takes `fewest` steps
        at least."""
        o, points, rates, steps = self.options, math.prod(extents), {}, {}
        for form, flags in forms.items():
            # A short call says how many steps take as long as they are to.
            seconds = self.run(extents, fewest, "--bench=1", *flags)["bench"]["median"]
            steps[form] = max(fewest, math.ceil(fewest * o.seconds / seconds))
        for turn in range(o.rounds):
            for form in list(forms) if turn % 2 == 0 else reversed(list(forms)):
                bench = self.run(extents, steps[form], "--bench=1", *forms[form])["bench"]
                rates.setdefault(form, []).append(points * steps[form] / bench["median"] * 1e-9)
        return rates, steps
