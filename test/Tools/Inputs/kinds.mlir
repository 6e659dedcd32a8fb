// Fields of several element types, and scalars that come back as they are.
!range = !stencil.field<[0,1000]xf64>
func.func @kinds(%a: !range, %b: !stencil.field<[0,1000]xf32>, %c: !stencil.field<[0,1000]xf16>,
                 %d: !stencil.field<[0,1000]xi8>, %e: !stencil.field<[0,1000]xi1>) {
  return
}
