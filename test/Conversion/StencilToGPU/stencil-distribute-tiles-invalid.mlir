// What stencil-distribute-tiles refuses, beside what is in tile-invalid.mlir.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-distribute-tiles --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --stencil-distribute-tiles --split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: expected a module with the attribute stencil.target

// expected-error@+1 {{no GPU lowering for a function with branches; structured control flow has one}}
func.func @blocks() {
  tile.kernel @k() grid <domain = <[0], [8]>, block = [8], points = [1]> {
  }
  cf.br ^next
^next:
  return
}

// -----

// expected-error@+1 {{'tile.kernel' op expected to be in a func.func of the module}}
tile.kernel @top() grid <domain = <[0], [8]>, block = [8], points = [1]> {
}

// -----

!field = !stencil.field<[0,8]xf80>

func.func @element() {
  %u = stencil.alloc : !field
  // expected-error@+1 {{no GPU lowering for a field of type '!stencil.field<[0,8]xf80>'}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [8]>, block = [8], points = [1]> {
  }
  return
}

// -----

func.func private @other(f64) -> f64

!field = !stencil.field<[0,8]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,8]xf64>

func.func @call(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [8]>, block = [8], points = [1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        // expected-error@+1 {{no GPU lowering for a call that could not be inlined: expected 'other' to have a body of one block}}
        %1 = func.call @other(%0) : (f64) -> f64
        stencil.return %1 : f64
      }
      tile.store %r to %b : !tile to !field
    }
  }
  return
}
