// Fields with gaps between rows have none of their memory in memrefs.
// RUN: not stencil-opt %s --convert-stencil-to-cpu=padded-rows 2>&1 | FileCheck %s

!field = !stencil.field<[0,8]x[0,8]xf64>

func.func @copied(%f: !field, %o: memref<8x8xf64>) {
  // CHECK: :[[@LINE+1]]:3: error: 'stencil.external_store' op cannot copy rows with gaps to a memref
  stencil.external_store %f to %o : !field to memref<8x8xf64>
  return
}
