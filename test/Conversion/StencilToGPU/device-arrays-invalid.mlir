// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --split-input-file --verify-diagnostics

func.func @host(%a: memref<8xf64>, %x: f64) attributes {stencil.device_arrays} {
  %c0 = arith.constant 0 : index
  %u = stencil.external_load %a : memref<8xf64> -> !stencil.field<[0,8]xf64>
  // expected-error@+1 {{no GPU lowering for an op of the host on an array that is on the device}}
  memref.store %x, %a[%c0] : memref<8xf64>
  return
}

// -----

func.func @copy(%a: memref<8xf64>, %b: memref<8xf64>) attributes {stencil.device_arrays} {
  %u = stencil.external_load %a : memref<8xf64> -> !stencil.field<[0,8]xf64>
  // expected-error@+1 {{expected both sides of a copy to be such arrays, without gaps}}
  memref.copy %a, %b : memref<8xf64> to memref<8xf64>
  return
}

// -----

// An array with gaps is copied by nobody.
func.func @gaps(%a: memref<8xf64>, %b: memref<8xf64>) attributes {stencil.device_arrays} {
  %u = stencil.external_load %a : memref<8xf64> -> !stencil.field<[0,8]xf64>
  %v = stencil.external_load %b : memref<8xf64> -> !stencil.field<[0,8]xf64>
  %c = memref.subview %a[0] [4] [2] : memref<8xf64> to memref<4xf64, strided<[2]>>
  %d = memref.subview %b[0] [4] [2] : memref<8xf64> to memref<4xf64, strided<[2]>>
  // expected-error@+1 {{expected both sides of a copy to be such arrays, without gaps}}
  memref.copy %c, %d : memref<4xf64, strided<[2]>> to memref<4xf64, strided<[2]>>
  return
}

// -----

func.func @own(%u: !stencil.field<[0,8]xf64>) -> !stencil.field<[0,8]xf64> attributes {stencil.device_arrays} {
  %b = stencil.alloc : !stencil.field<[0,8]xf64>
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>) outs (%b : !stencil.field<[0,8]xf64>) {
    %p = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %p : f64
  } to <[0], [8]>
  // expected-error@+1 {{no GPU lowering for returning a field of the function's own where arrays are on the device: expected one of the arguments}}
  return %b : !stencil.field<[0,8]xf64>
}

// -----

// expected-error@+1 {{expected 'stencil.device_arrays' as a unit on a function only}}
func.func @value() attributes {stencil.device_arrays = 1 : i32} {
  return
}
