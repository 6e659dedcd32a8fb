// RUN: stencil-opt --stencil-attach-target=chip=sm_90 --stencil-distribute-tiles --split-input-file --verify-diagnostics %s
// RUN: not stencil-opt --stencil-attach-target=chip=sm_75 --stencil-distribute-tiles --split-input-file %S/Inputs/tile-fills.mlir 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: 'tile.ring' op expected a GPU with cp.async for 'fill = async', got sm_75
// OLD: error: 'tile.ring' op expected a GPU with the tensor memory accelerator for 'fill = tma', got sm_75

!field = !stencil.field<[-1,9]xf64>

func.func @not_expanded(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [8]>, block = [1], points = [1], walk = 0> {
    // expected-error @below {{has no threads yet; run stencil-expand-walks}}
    tile.walk plane %p {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
!temp = !stencil.temp<?xf64>

func.func @unguarded(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [8]>, block = [32], points = [1]> {
    %x = tile.source %a : !field -> !temp
    // expected-error @below {{expected to be in a tile.where: it reads a field, and a tile may reach beyond the domain}}
    %r = stencil.apply(%t = %x : !temp) -> (!stencil.temp<[0,32]xf64>) {
      %0 = stencil.access %t[0] : !temp
      stencil.return %0 : f64
    }
    tile.store %r to %b : !stencil.temp<[0,32]xf64> to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xi32>
!ring = !tile.ring<1 x [0,32]xi32>
!read = !stencil.temp<[0,32]xi32>

func.func @unguarded_error(%u: !field, %v: !field, %s: i32) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field, %d = %s : i32) grid <domain = <[0], [8]>, block = [32], points = [1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    tile.barrier
    %x = tile.source %w : !ring -> !read
    // expected-error @below {{expected to be in a tile.where: it may fail at run time, and a tile may reach beyond the domain}}
    %r = stencil.apply(%t = %x : !read, %e = %d : i32) -> (!read) {
      %0 = stencil.access %t[0] : !read
      %1 = arith.divsi %0, %e : i32
      stencil.return %1 : i32
    }
    tile.store %r to %b : !read to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @other_box(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %x = tile.source %a : !field -> !temp
    tile.where {
      // expected-error @below {{has no distribution to threads yet: expected the tile's box, #stencil.bounds<[0], [32]>, got #stencil.bounds<[0], [31]>}}
      %r = stencil.apply(%t = %x : !temp) -> (!stencil.temp<[0,31]xf64>) {
        %0 = stencil.access %t[0] : !temp
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @other_layout(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %x = tile.source %a : !field -> !temp
    tile.where {
      // expected-error @below {{has no distribution to threads yet: expected the layout of the kernel}}
      %r = stencil.apply(%t = %x : !temp) -> (!stencil.temp<[0,64]xf64>) attributes {tile.layout = #tile.layout<rank = 1, registers = [0: 2 by 32], threads = [0: 32 by 1]>} {
        %0 = stencil.access %t[0] : !temp
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>

func.func @too_large(%u: !field) {
  // expected-error @below {{expected rings of at most 232448 bytes, the shared memory of a block on sm_90, got 240000}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %w = tile.ring : !tile.ring<1 x [0,30000]xf64>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xi8>
!ring = !tile.ring<2 x [0,1]x[-1,33]xi8, fill = async>

func.func @narrow(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<2>
    // expected-error @below {{expected rows that are aligned to at least 4 bytes for 'fill = async', which is 'prefetch = async' of a schedule, got 1}}
    tile.copy %a[%first] to %w[%c] : !field, !ring
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!ring = !tile.ring<2 x [0,1]xf64, fill = delayed>

func.func @nothing_loaded(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [1], points = [1], walk = 0> {
    %w = tile.ring : !ring
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<2>
    // expected-error @below {{expected a copy to the ring before it}}
    tile.wait %w[%c] : !ring
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>

func.func @other_op(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    // expected-error @below {{cannot be distributed to the threads of a tile.kernel}}
    %m = memref.alloc() : memref<4xf64>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!tile = !stencil.temp<[0,1]xf64>

func.func @where_am_i(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [1], points = [1], walk = 0> {
    %first, %count = tile.segment : index
    // expected-error @below {{expected a source or 'tile.plane' to know the plane from, as it asks for coordinates}}
    %r = stencil.apply() -> (!tile) {
      %0 = stencil.index 0 <[0]>
      %1 = arith.index_cast %0 : index to i64
      %2 = arith.sitofp %1 : i64 to f64
      stencil.return %2 : f64
    }
    tile.store %r to %a[%first] : !tile to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,1]xf64>

func.func @two_planes(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [1], points = [1], walk = 0> {
    %first, %count = tile.segment : index
    %x = tile.source %a[%first] : !field -> !temp
    %y = tile.source %a[%count] : !field -> !temp
    tile.where {
      // expected-error @below {{expected fields to be read in one iteration's plane}}
      %r = stencil.apply(%t = %x : !temp, %s = %y : !temp) -> (!tile) {
        %0 = stencil.access %t[0] : !temp
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!ring = !tile.ring<1 x [0,32]xf64>
!read = !stencil.temp<[0,32]xf64>

// Threads read what others are copying.
func.func @no_barrier(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %w = tile.ring : !ring
    // expected-note @below {{and behind this op}}
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error @below {{expected a tile.barrier before it (stencil-place-barriers): a stage reads ring 0, which threads have written}}
    %r = stencil.apply(%t = %x : !read) -> (!read) {
      %0 = stencil.access %t[0] : !read
      stencil.return %0 : f64
    }
    tile.store %r to %b : !read to !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!ring = !tile.ring<1 x [0,32]xf64>
!read = !stencil.temp<[0,32]xf64>

func.func @coordinates(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    tile.barrier
    %x = tile.source %w : !ring -> !read
    tile.where {
      %r = stencil.apply(%t = %x : !read) -> (!read) {
        %i = stencil.index 0 <[0]>
        // expected-error @below {{'stencil.dyn_access' op has no distribution to threads: expected to read a tile.source of a field}}
        %0 = stencil.dyn_access %t[%i] in <[0]> : <[0]> : !read
        stencil.return %0 : f64
      }
      tile.store %r to %b : !read to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>

// Nobody knows that the divisor is not zero.
func.func @division(%u: !field, %n: index) {
  tile.kernel @k(%a = %u : !field, %m = %n : index) grid <domain = <[0], [64]>, block = [1], points = [1], walk = 0> {
    %first, %count = tile.segment : index
    // expected-error @below {{'arith.divsi' op cannot be distributed to the threads of a tile.kernel}}
    %q = arith.divsi %first, %m : index
  }
  return
}
