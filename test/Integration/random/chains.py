"""Random programs in which applies read what other applies make: chains, several readers, several results, stores in
between. For the passes that fuse and compose."""

from model import Retry
from programs import Program


class Chains(Program):
    def make_grid(self):
        super().make_grid()
        self.radius = self.rng.choice([0, 1, 1, 1, 1, 2])
        self.elems = self.elems[: self.rng.choice([1, 1, 2])]

    def choices(self):
        choices = [(self.stencil, 12), (self.combine, 1.5), (self.boundary, 0.5), (self.fold, 0.3)]
        if not self.loops:
            choices += [(self.time_loop, 1), (self.branch, 0.3)]
        return choices

    def load(self, field):
        """Often what has been loaded before."""
        known = [t for t in self.temps if t.field is field]
        return known[-1] if known and self.chance(0.6) else super().load(field)

    def choose_inputs(self):
        inputs = []
        for _ in range(self.rng.choice([1, 1, 2, 2, 3])):
            made = [t for t in self.temps if not t.partial and not t.field]
            temp = self.rng.choice(made[-4:]) if made and self.chance(0.75) else self.load(self.rng.choice(self.fields))
            if temp not in inputs:
                inputs.append(temp)
        return inputs

    def stencil(self):
        temps = self.apply()
        if self.allowed("buffer") and self.chance(0.03) and not any(t.partial for t in temps):
            self.buffer(self.rng.choice(temps))
        taken = set()
        for temp in temps:
            if temp.partial or self.chance(0.4):
                field = self.store(temp, taken).name
                if field in taken:
                    raise Retry
                taken.add(field)
