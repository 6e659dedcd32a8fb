from st.expr import Index, ConstRef
from st.grid import Grid

x = [Index(n) for n in range(4)]
input = Grid("in", 4)
output = Grid("out", 4)
beta = ConstRef("0.125")

output(*x).assign(beta * input(x[0] + 1, *x[1:]) + input(x[0], x[1], x[2], x[3] - 1))

STENCIL = [output]
