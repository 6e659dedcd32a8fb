"""A program as text of the stencil dialect."""

from .body import Body
from .dtypes import index
from .expressions import Literal, Scalar, StepIndex, cast
from .grids import Reference, Temporary, walk
from .ops import Names, constant, operation
from .plan import Plan, loops_of


class Printer:
    def __init__(self, program, locations=False):
        self.program, self.locations = program, locations
        self.plan = Plan(program)
        self.lines, self.indent, self.names = [], 1, Names()
        self.aliases = {}
        # What is known in the blocks around: values by what they stand for.
        self.scopes = [{}]
        # The value that a grid is now.
        self.fields = {}
        # Expressions are known by their identity, which lasts as long as they do.
        self.kept = []

    def print(self):
        program = self.program
        arguments, casts = [], []
        for parameter in program.parameters:
            name = self.names.new(parameter.name)
            if isinstance(parameter, Scalar):
                self.scopes[0][id(parameter)] = name
                self.scopes[0]["scalar", parameter.name] = name
                arguments.append(f"{name}: {parameter.dtype.text}")
                continue
            self.fields[parameter] = name
            unknown = f"!stencil.field<{'?x' * parameter.rank}{parameter.dtype.text}>"
            field = self.field_type(parameter)
            if "?" not in self.aliases_text(field):
                arguments.append(f"{name}: {field}")
                continue
            arguments.append(f"{name}: {unknown}")
            casts.append((parameter, name, unknown, field))
        for grid, name, unknown, field in casts:
            self.fields[grid] = self.names.new(grid.name)
            self.line(f"{self.fields[grid]} = stencil.cast {name} : {unknown} -> {field}", grid.location)
        self.block(program.body)
        results = [self.uniform(result) for result in program.results]
        types = [result.dtype.text for result in program.results]
        self.line(f"return {', '.join(results)} : {', '.join(types)}" if results else "return", program.location)
        head = [f"{alias} = {text}" for text, alias in self.aliases.items()]
        to = f" -> ({', '.join(types)})" if types else ""
        head += ["", f"func.func @{program.name}({', '.join(arguments)}){to} {{"]
        return "\n".join(head + self.lines + ["}" + self.location(program.location), ""])

    # Lines.

    def location(self, where):
        if not self.locations or where is None:
            return ""
        file = where[0].replace("\\", "\\\\").replace('"', '\\"')
        return f' loc("{file}":{where[1]}:1)'

    def line(self, text, where=None):
        self.lines.append("  " * self.indent + text + self.location(where))

    # Types.

    def alias(self, base, text):
        if text not in self.aliases:
            taken = sum(alias.rstrip("0123456789") == base for alias in self.aliases.values())
            self.aliases[text] = base + (str(taken) if taken else "")
        return self.aliases[text]

    def aliases_text(self, alias):
        return next(text for text, name in self.aliases.items() if name == alias)

    def extents_of(self, grid):
        axes = grid.axes or tuple(range(grid.rank))
        extents = [self.program.extents[axis] for axis in axes]
        if axes != tuple(range(grid.rank)) and None in extents:
            raise ValueError(f"expected extents=(...) for the program: '{grid.name}' has the axes {axes} of the points, and not "
                             "the first ones")
        return extents

    def field_type(self, grid):
        axes = []
        for extent, (low, high) in zip(self.extents_of(grid), self.plan.halos[grid]):
            upper = extent + high if extent is not None else f"?+{high}" if high else "?"
            axes.append(f"[{-low},{upper}]")
        return self.alias("!field", f"!stencil.field<{'x'.join(axes)}x{grid.dtype.text}>")

    def temp_type(self, rank, dtype):
        return self.alias("!temp", f"!stencil.temp<{'?x' * rank}{dtype.text}>")

    def bounds(self, grid, box=None):
        """The interior, or a box of it: `<[0, 0], [?, ?]>`."""
        extents = self.extents_of(grid) if not isinstance(grid, Temporary) else self.program.extents[: grid.rank]
        box = box or [((False, 0), (True, 0))] * grid.rank
        lower, upper = [], []
        for extent, ends in zip(extents, box):
            for side, (from_end, number) in zip((lower, upper), ends):
                if from_end and extent is None:
                    side.append(f"?{number}" if number else "?")
                else:
                    side.append(str(number + (extent if from_end else 0)))
        return f"<[{', '.join(lower)}], [{', '.join(upper)}]>"

    # Values that are the same at all points.

    def find(self, key):
        for scope in reversed(self.scopes):
            if key in scope:
                return scope[key]
        return None

    def uniform(self, expression):
        """The value of an expression that is the same at all points, computed in this block."""
        for node in walk(expression):
            if self.find(id(node)) is not None:
                continue
            if isinstance(node, Literal):
                key = "constant", node.dtype.text, repr(node.value)
                name = self.find(key)
                if name is None:
                    name = self.scopes[-1][key] = self.names.new("c")
                    self.line(f"{name} = {constant(node)}", node.location)
            elif isinstance(node, Scalar):
                name = self.find(("scalar", node.name))
                if name is None:
                    raise ValueError(f"expected '{node.name}' to be a parameter of the program '{self.program.name}'")
            elif isinstance(node, StepIndex) or not node.operands:
                raise ValueError("expected a step or a reduction of a time loop to be used in its body only"
                                 + written(node.location))
            elif not node.op:
                name = self.uniform(node.operands[0])
            else:
                name = self.names.new("s")
                operands = [self.find(id(operand)) for operand in node.operands]
                self.line(f"{name} = {operation(node, operands)}", node.location)
            self.scopes[-1][id(node)] = name
            self.kept.append(node)
        return self.find(id(expression))

    # Statements.

    def block(self, block):
        for statement in block.statements:
            getattr(self, "print_" + type(statement).__name__.lower())(statement)

    def read(self, source, statement):
        """The value of a grid, or a temporary one, for a statement."""
        if isinstance(source, Temporary):
            name = self.find(("temporary", source))
            if name is None:
                raise ValueError(f"expected '{source.name}' to be read in the time loop where it is computed"
                                 + written(statement.location))
            return name
        key = "load", source, self.plan.contents[id(statement)][source]
        name = self.find(key)
        if name is None:
            field = self.field_type(source)
            if self.plan.needs_fill(source, key[2]):
                self.fill(source, source.boundary, statement.location)
            name = self.scopes[-1][key] = self.names.new(source.name)
            self.line(f"{name} = stencil.load {self.fields[source]} : {field} -> {self.temp_type(source.rank, source.dtype)}",
                      statement.location)
        return name

    def evaluate(self, value, rank, statement, name):
        """An apply that computes a value at every point."""
        body = Body(self, value, rank, statement)
        result, to = self.names.new(name), self.temp_type(rank, value.dtype)
        self.line(f"{result} = stencil.apply({body.inputs}) -> ({to}) {{")
        for text, where in body.lines:
            self.lines.append("  " * (self.indent + 1) + text + self.location(where))
        self.line("}", statement.location)
        return result

    def print_definition(self, statement):
        temporary = statement.temporary
        if temporary in self.plan.temporaries:
            name = self.evaluate(temporary.value, temporary.rank, statement, temporary.name)
            self.scopes[-1]["temporary", temporary] = name

    def print_assignment(self, statement):
        grid, value = statement.grid, statement.value
        self.program.require(grid, statement.location)
        plain = isinstance(value, Reference) and isinstance(value.source, Temporary) and not any(value.offsets)
        if plain and value.axes == tuple(range(grid.rank)) and value.source.rank == grid.rank:
            name = self.read(value.source, statement)
        else:
            name = self.evaluate(value, grid.rank, statement, grid.name)
        to = self.temp_type(grid.rank, grid.dtype)
        self.line(f"stencil.store {name} to {self.fields[grid]}({self.bounds(grid, statement.box)}) : {to} to "
                  f"{self.field_type(grid)}", statement.location)

    def fill(self, grid, conditions, where):
        if not any(map(any, self.plan.halos[grid])):
            return
        entries = [low.text if low.text == high.text else f"{low.text} | {high.text}" for low, high in conditions]
        self.line(f"stencil.boundary {self.fields[grid]}({self.bounds(grid)}) [{', '.join(entries)}] : "
                  f"{self.field_type(grid)}", where)

    def print_fill(self, statement):
        self.program.require(statement.grid, statement.location)
        self.fill(statement.grid, statement.conditions, statement.location)

    def print_fold(self, statement):
        first = statement.temporaries[0]
        names = ", ".join(self.read(temporary, statement) for temporary in statement.temporaries)
        types = ", ".join([self.temp_type(first.rank, first.dtype)] * len(statement.temporaries))
        result = self.scopes[-1][id(statement.result)] = self.names.new(statement.kind)
        self.line(f"{result} = stencil.fold {names}({self.bounds(first, statement.box)}) {statement.kind} : {types}",
                  statement.location)

    def print_loop(self, loop):
        # Counts are signless in the language; a loop runs on indices.
        steps = self.uniform(cast(loop.steps, index))
        zero, one = (self.uniform(Literal(number, index)) for number in (0, 1))
        # Those that a loop within exchanges go from step to step, too.
        inner = [grid for within in loops_of(loop.body) for group in within.rotate for grid in group]
        grids = list(dict.fromkeys([grid for group in loop.rotate for grid in group] + inner))
        types = ", ".join(self.field_type(grid) for grid in grids)
        step = self.names.new("step")
        for grid in grids:
            self.program.require(grid, loop.location)
        before = [self.fields[grid] for grid in grids]
        inside = [self.names.new(grid.name) for grid in grids]
        head = f"scf.for {step} = {zero} to {steps} step {one}"
        if grids:
            result = self.names.new("fields")
            pairs = ", ".join(f"{name} = {value}" for name, value in zip(inside, before))
            head = f"{result}:{len(grids)} = {head} iter_args({pairs}) -> ({types})"
        self.line(head + " {")
        self.scopes.append({id(loop.step): step})
        self.fields.update(zip(grids, inside))
        self.indent += 1
        self.block(loop.body)
        following = {grid: after for group in loop.rotate for grid, after in zip(group, (*group[1:], group[0]))}
        after = [self.fields[following.get(grid, grid)] for grid in grids]
        if grids:
            self.line(f"scf.yield {', '.join(after)} : {types}", loop.location)
            self.fields.update((grid, f"{result}#{number}") for number, grid in enumerate(grids))
        self.indent -= 1
        self.scopes.pop()
        self.line("}", loop.location)


def written(where):
    return f" ({where[0]}:{where[1]})" if where else ""

