from st.expr import Index, ConstRef, If
from st.grid import Grid
from st.func import Func

i = Index(0)
j = Index(1)
largest = Func("max", 2)
root = Func("sqrt", 1)

u = Grid("u", 2)
mid = Grid("mid", 2)
v = Grid("v", 2)
w = Grid("w", 2)
zero = ConstRef("0.0")

mid(i, j).assign(largest(u(i + 1, j), zero) + 2)
calc = mid(i, j) * u(i, j - 1)
v(i, j).assign(If(calc > 0, root(calc), -calc))
w(i, j).assign(If((u(i, j) > 0).logical_and(u(i, j) < 1), 1.0, mid(i, j)))

STENCIL = [v, w]
