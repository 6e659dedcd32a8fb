# In the syntax of BrickLib's stencil files.
from st.expr import Index, ConstRef
from st.grid import Grid

i = Index(0)
j = Index(1)
k = Index(2)

input = Grid("bIn", 3)
output = Grid("bOut", 3)
alpha = ConstRef("MPI_ALPHA")
coeff = [ConstRef("coeff[0]"), ConstRef("coeff[1]"), ConstRef("coeff[2]")]

calc = alpha * input(i, j, k) + \
       coeff[0] * (input(i + 1, j, k) - input(i - 2, j, k)) + \
       coeff[1] * input(i, 1 + j, k) + \
       coeff[2] * input(i, j, k - 1)
output(i, j, k).assign(calc)

STENCIL = [output]
