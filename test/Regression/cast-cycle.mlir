// Casts that feed each other, as the body of a module allows, kept the verifier
// of a bufferised apply and the folder from coming to an end.
// RUN: stencil-opt %s -split-input-file -canonicalize -cse | FileCheck %s

// CHECK: stencil.apply
%a = stencil.cast %b : !stencil.field<?xf64> -> !stencil.field<?xf64>
%b = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<?xf64>
%k = arith.constant 1.0 : f64
stencil.apply(%x = %k : f64) outs (%a : !stencil.field<?xf64>) {
  stencil.return %x : f64
} to <[0], [4]>

// -----

// CHECK: stencil.store
%f = stencil.cast %f : !stencil.field<[0,4]xf64> -> !stencil.field<[0,4]xf64>
%t = stencil.combine 0 at 2 lower = (%t : !stencil.temp<?xf64>) upper = (%t : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
stencil.store %t to %f(<[0], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,4]xf64>
