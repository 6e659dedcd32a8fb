// What kernels over lists refuse: boxes, halos and folds that do not fit, and what is for tiles that are boxes.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,9]xf64>
func.func @common(%u: !field) {
  // expected-error@+1 {{expected boxes without a common point, got #stencil.bounds<[-1], [1]> and #stencil.bounds<[0], [9]>}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [1]>, <[0], [9]>]> {
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @half(%u: !field) {
  // expected-error@+1 {{expected a box in #stencil.bounds<[0], [8]>, apart from it, or whose rows lead through it, got #stencil.bounds<[-1], [4]>}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [4]>] without <[0], [8]>> {
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @both(%u: !field) {
  // expected-error@+1 {{expected 'turns' or 'blocks', got both}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>] turns 2 blocks 3> {
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @domain(%u: !field) {
  // expected-error@+1 {{expected boxes in the domain, #stencil.bounds<[0], [9]>, got #stencil.bounds<[-1], [0]>}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [9]>, block = [4], points = [1]> list <[<[-1], [0]>]> {
  }
  return
}

// -----

!field = !stencil.field<[-1,9]x[-1,9]xf64>
func.func @threads(%u: !field) {
  // expected-error@+1 {{expected one point per thread, and threads along the last axis only, for a list}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1, -1], [9, 9]>, block = [2, 32], points = [1, 1]> list <[<[-1, -1], [0, 9]>]> {
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @grid(%u: !field) {
  // expected-error@+1 {{expected a grid of 'domain', 'block' and 'points' for a list}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1], align = 2> list <[<[-1], [0]>]> {
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @stage(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>]> {
    // expected-error@+1 {{expected to be outside of a kernel over a list, whose tiles are no boxes}}
    tile.barrier
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @part(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>]> {
    // expected-error@+1 {{expected 'part' from 0 to 0 in a kernel over a list}}
    tile.where part 1 {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @no_list(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    // expected-error@+1 {{expected 'part' in a kernel over a list only}}
    tile.where part 0 {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @interior(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [1]>]> {
    tile.where part 0 {
      // expected-error@+1 {{expected boxes in the halo of one axis from 0 on, got #stencil.bounds<[-1], [1]> around #stencil.bounds<[0], [8]>}}
      %h = tile.halo %a boundary(<[0], [8]>) [#stencil.neumann] : !field -> !tile
      tile.store %h to %a : !tile to !field
    }
  }
  return
}

// -----

// The corner belongs to the last axis, whose halo is over the full extents of the others.
!field = !stencil.field<[-1,9]x[-1,9]xf64>
!tile = !stencil.temp<[0,1]x[0,4]xf64>
func.func @filled(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1, -1], [9, 9]>, block = [1, 4], points = [1, 1]> list <[<[-1, 0], [0, 8]>]> {
    tile.where part 0 {
      // expected-error@+1 {{expected boxes in the halo of one axis from 1 on, got #stencil.bounds<[-1, 0], [0, 8]>}}
      %h = tile.halo %a boundary(<[0, 0], [8, 8]>) [#stencil.neumann, #stencil.neumann] filled 1 : !field -> !tile
      tile.store %h to %a : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @kept(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>]> {
    tile.where part 0 {
      // expected-error@+1 {{expected boxes where halos are not kept, got #stencil.bounds<[-1], [0]> with #stencil.keep along axis 0}}
      %h = tile.halo %a boundary(<[0], [8]>) [#stencil.keep | #stencil.neumann] : !field -> !tile
      tile.store %h to %a : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @layers(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-2], [9]>, block = [4], points = [1]> list <[<[-2], [0]>]> {
    tile.where part 0 {
      // expected-error@+1 {{expected a box on one side, one point wide, along axis 0, the first one that is not filled, for #stencil.extrapolate<1>, got #stencil.bounds<[-2], [0]>}}
      %h = tile.halo %a boundary(<[0], [8]>) [#stencil.extrapolate<1>] : !field -> !tile
      tile.store %h to %a : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-3,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @narrow(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-3], [9]>, block = [4], points = [1]> list <[<[-3], [0]>]> {
    tile.where part 0 {
      // expected-error@+1 {{expected at least 4 interior points on axis 0 for #stencil.symmetric with a halo of 3, got 3}}
      %h = tile.halo %a boundary(<[0], [3]>) [#stencil.symmetric | #stencil.keep] : !field -> !tile
      tile.store %h to %a : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @others(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>, <[8], [9]>]> {
    tile.where part 0 {
      // expected-note@+1 {{another one is here}}
      %h = tile.halo %a boundary(<[0], [8]>) [#stencil.neumann] : !field -> !tile
      tile.store %h to %a : !tile to !field
    }
    tile.where part 1 {
      // expected-error@+1 {{expected the boundary that others have}}
      %h = tile.halo %a boundary(<[0], [8]>) [#stencil.symmetric] : !field -> !tile
      tile.store %h to %a : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @twice(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>]> {
    tile.where part 0 {
      %h = tile.halo %a boundary(<[0], [8]>) [#stencil.neumann] : !field -> !tile
      // expected-note@+1 {{the other one is here}}
      tile.store %h to %a : !tile to !field
      // expected-error@+1 {{expected one store per field and box, got another one}}
      tile.store %h to %a : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @turns(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>] turns 3> {
    // expected-error@+1 {{expected 3 fields, one for each of the list's turns, got 2}}
    %f = tile.turn %a, %b : !field
  }
  return
}

// -----

// Each block stores to the field whose turn it is; all of them would store to %a.
!field = !stencil.field<[-1,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @not_its_turn(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>] turns 2> {
    %f = tile.turn %a, %b : !field
    tile.where part 0 {
      %h = tile.halo %f boundary(<[0], [8]>) [#stencil.neumann] : !field -> !tile
      // expected-error@+1 {{expected the field whose turn it is}}
      tile.store %h to %a : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[0,8]xf32>
!any = !stencil.temp<?xf32>
func.func @fold_memory(%u: !field, %p: memref<9xf64>, %r: memref<1xf64>) {
  tile.kernel @k(%a = %u : !field, %n = %p : memref<9xf64>, %o = %r : memref<1xf64>) grid <domain = <[0], [8]>, block = [4], points = [1]> list <[<[0], [8]>] blocks 8> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{expected memory of type 'memref<8xf64>', got 'memref<9xf64>'}}
    tile.fold max %x to %o through %n : !any to memref<1xf64>, memref<9xf64>
  }
  return
}

// -----

!field = !stencil.field<[0,8]xf32>
!any = !stencil.temp<?xf32>
func.func @fold_tile(%u: !field, %p: memref<8xf64>, %r: memref<1xf64>) {
  tile.kernel @k(%a = %u : !field, %n = %p : memref<8xf64>, %o = %r : memref<1xf64>) grid <domain = <[0], [8]>, block = [3], points = [1]> list <[<[0], [8]>] blocks 8> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{expected a tile of a power of two of points, got 3}}
    tile.fold max %x to %o through %n : !any to memref<1xf64>, memref<8xf64>
  }
  return
}

// -----

!field = !stencil.field<[0,8]xi32>
!any = !stencil.temp<?xi32>
func.func @fold_length(%u: !field, %p: memref<8xi64>, %r: memref<1xi64>) {
  tile.kernel @k(%a = %u : !field, %n = %p : memref<8xi64>, %o = %r : memref<1xi64>) grid <domain = <[0], [8]>, block = [4], points = [1]> list <[<[0], [8]>] blocks 8> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{expected a floating-point element type for rms or the length of a vector, got 'i32'}}
    tile.fold max %x, %x to %o through %n : !any, !any to memref<1xi64>, memref<8xi64>
  }
  return
}

// -----

!field = !stencil.field<[0,8]xf32>
func.func @no_fold(%u: !field) {
  // expected-error@+1 {{expected one tile.fold and no tile.where, as its list has 'blocks', got 0 and 0}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> list <[<[0], [8]>] blocks 8> {
  }
  return
}

// -----

!field = !stencil.field<[0,8]xf32>
!any = !stencil.temp<?xf32>
func.func @fold_box(%u: !field, %p: memref<8xf64>, %r: memref<1xf64>) {
  tile.kernel @k(%a = %u : !field, %n = %p : memref<8xf64>, %o = %r : memref<1xf64>) grid <domain = <[0], [9]>, block = [4], points = [1]> list <[<[0], [9]>] blocks 8> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{expected fields that have all of #stencil.bounds<[0], [9]>, got '!stencil.field<[0,8]xf32>'}}
    tile.fold max %x to %o through %n : !any to memref<1xf64>, memref<8xf64>
  }
  return
}

// -----

!field = !stencil.field<[0,8]xf32>
!any = !stencil.temp<?xf32>
func.func @fold_no_list(%u: !field, %p: memref<8xf64>, %r: memref<1xf64>) {
  tile.kernel @k(%a = %u : !field, %n = %p : memref<8xf64>, %o = %r : memref<1xf64>) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{expected to be in a tile.kernel over a list}}
    tile.fold max %x to %o through %n : !any to memref<1xf64>, memref<8xf64>
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @images(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>]> {
    tile.where part 0 {
      %h = tile.halo %a boundary(<[0], [8]>) [#stencil.neumann] : !field -> !tile
      // expected-error@+1 {{expected no 'images' in a kernel over a list}}
      tile.store %h to %a images [0] : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @keeps_lines(%u: !field) {
  // expected-error@+1 {{expected no 'keeps_lines' for a list}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>]> attributes {keeps_lines} {
  }
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
func.func @around(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[-1], [9]>, block = [4], points = [1]> list <[<[-1], [0]>, <[8], [9]>]> {
    tile.where part 0 {
      // expected-error@+1 {{expected no 'needs', no results and no tile.where around it in a kernel over a list}}
      tile.where part 1 {
      }
    }
  }
  return
}
