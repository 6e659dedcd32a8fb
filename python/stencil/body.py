"""The body of an apply: the ops of one expression."""

from .expressions import Index, Literal, Scalar
from .grids import ComputedReference, Reference, walk
from .ops import Names, constant, operation


class Body:
    """The lines of the body, and the list of the inputs of the apply."""

    def __init__(self, printer, value, rank, statement):
        self.printer, self.rank, self.statement = printer, rank, statement
        # A name space of its own: bodies are isolated.
        self.names = Names()
        self.lines, self.known, self.arguments = [], {}, []
        # What is the same at all points is computed outside.
        for node in walk(value, enters=lambda node: not node.uniform):
            if id(node) not in self.known:
                self.known[id(node)] = self.emit(node)
        self.lines.append((f"stencil.return {self.known[id(value)]} : {value.dtype.text}", statement.location))
        self.inputs = ", ".join(f"{name} = {value} : {type}" for name, value, type in self.arguments)

    def once(self, key, base, make, where):
        if key not in self.known:
            name = self.known[key] = self.names.new(base)
            self.lines.append((f"{name} = {make()}", where))
        return self.known[key]

    def argument(self, key, base, value, type):
        if key not in self.known:
            self.known[key] = self.names.new(base)
            self.arguments.append((self.known[key], value, type))
        return self.known[key]

    def input(self, source):
        value = self.printer.read(source, self.statement)
        return self.argument(source, source.name, value, self.printer.temp_type(source.rank, source.dtype))

    def emit(self, node):
        if isinstance(node, Literal):
            return self.once((node.dtype.text, repr(node.value)), "c", lambda: constant(node), node.location)
        if node.uniform:
            value = self.printer.uniform(node)
            base = node.name if isinstance(node, Scalar) else "s"
            return self.argument(value, base, value, node.dtype.text)
        if isinstance(node, Index):
            if node.axis >= self.rank:
                raise ValueError(f"expected an Index of an axis below {self.rank}, got Index({node.axis})" + self.place(node))
            zeros = ", ".join(["0"] * self.rank)
            return self.once(("index", node.axis), "i", lambda: f"stencil.index {node.axis} <[{zeros}]>", node.location)
        if isinstance(node, (Reference, ComputedReference)):
            return self.access(node)
        if not node.op:
            return self.known[id(node.operands[0])]
        name = self.names.new("v")
        self.lines.append((f"{name} = {operation(node, [self.known[id(o)] for o in node.operands])}", node.location))
        return name

    def access(self, node):
        source = node.source
        type = self.printer.temp_type(source.rank, source.dtype)
        if isinstance(node, ComputedReference):
            if source.rank != self.rank:
                raise ValueError(f"expected {self.rank} axes of '{source.name}', which is read at computed coordinates, got "
                                 f"{source.rank}" + self.place(node))
            x = self.input(source)
            coordinates = ", ".join(self.known[id(operand)] for operand in node.operands)
            low, high = (", ".join(str(entry[side]) for entry in node.reach) for side in (0, 1))
            name = self.names.new(source.name)
            text = f"{name} = stencil.dyn_access {x}[{coordinates}] in <[{low}]> : <[{high}]> : {type}"
            self.lines.append((text, node.location))
            return name
        if node.axes[-1] >= self.rank:
            raise ValueError(f"expected indices of {self.rank} axes, got '{source.name}' read along axis {node.axes[-1]}"
                             + self.place(node))
        x = self.input(source)
        offsets = ["_"] * self.rank
        for axis, offset in zip(node.axes, node.offsets):
            offsets[axis] = str(offset)
        text = f"stencil.access {x}[{', '.join(offsets)}] : {type}"
        return self.once((source, node.offsets, node.axes), source.name, lambda: text, node.location)

    @staticmethod
    def place(node):
        return f" ({node.location[0]}:{node.location[1]})" if node.location else ""
