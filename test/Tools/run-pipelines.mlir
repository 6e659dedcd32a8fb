// What the interpreter makes of pipelines: the same bits as of the program
// without windows.
//
// DEFINE: %{entry} =
// DEFINE: %{extents} = 13,9,20
// DEFINE: %{run} = %exits 0 stencil-run %s --target interpreter --threads 1 --arg 0=random:1 --arg 1=zeros --extents %{extents}
// DEFINE: %{before} = %{run} --entry %{entry} --out 0=%t.a.npy --out 1=%t.b.npy
// DEFINE: %{after} = %{run} --entry %{entry}_pipeline --out 0=%t.c.npy --out 1=%t.d.npy
// DEFINE: %{same} = %{before} && %{after} && cmp %t.a.npy %t.c.npy && cmp %t.b.npy %t.d.npy

// REQUIRES: python
// REDEFINE: %{entry} = star
// RUN: %{same}
// REDEFINE: %{entry} = chain
// RUN: %{same}
// REDEFINE: %{entry} = partial
// RUN: %{same}
// REDEFINE: %{entry} = in_place
// RUN: %{same}
// REDEFINE: %{extents} = 5,6
// REDEFINE: %{entry} = halves
// RUN: %{same}
// REDEFINE: %{extents} = 11
// REDEFINE: %{entry} = line
// RUN: %{same}

!field = !stencil.field<[-2,?+2]x[-2,?+2]x[-2,?+2]xf64>
!temp = !stencil.temp<?x?x?xf64>

// Three planes at once into three sums; the order is that of the list.
func.func @star(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %t = stencil.apply(%a = %x : !temp) -> (!temp) {
    %c = stencil.access %a[-2, 0, 0] : !temp
    %s = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -2], [0, 0, 1]] weights dense<[0.1, 0.7, 0.3, 0.9]> : tensor<4xf64> : !temp
    %d = stencil.access %a[1, 0, 0] : !temp
    %e = arith.addf %c, %s : f64
    %f = arith.addf %e, %d : f64
    stencil.return %f : f64
  }
  stencil.store %t to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  return
}
func.func @star_pipeline(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 4 prefetch tma : !temp
    %t:3 = stencil.apply(%a = %w : !temp) -> (!temp, !temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      %s = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -2], [0, 0, 1]] weights dense<[0.1, 0.7, 0.3, 0.9]> : tensor<4xf64> : !temp
      stencil.return %c, %s, %c : f64, f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1, %t#2 at [-2, 0, 1] : !temp
    stencil.store %s to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}

// Stages that read each other through windows, and a copy in registers.
func.func @chain(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %l = stencil.apply(%a = %x : !temp) -> (!temp) {
    %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 1]] weights dense<[0.1, 0.7, 0.3]> : tensor<3xf64> : !temp
    stencil.return %s : f64
  }
  %r = stencil.apply(%a = %x : !temp, %b = %l : !temp) -> (!temp) {
    %c = stencil.access %b[1, 0, -1] : !temp
    %d = stencil.access %b[-1, 1, 0] : !temp
    %e = stencil.access %a[0, 0, 0] : !temp
    %f = arith.mulf %c, %d : f64
    %g = arith.addf %f, %e : f64
    stencil.return %g : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  return
}
func.func @chain_pipeline(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 3 : !temp
    %q = stencil.window registers %w depth 3 lead 2 : !temp
    %l = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 1]] weights dense<[0.1, 0.7, 0.3]> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    %k = stencil.window shared %l depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp, %b = %k : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %b[1, 0, -1] : !temp
      %d = stencil.access %b[-1, 1, 0] : !temp
      %e = stencil.access %a[0, 0, 0] : !temp
      %f = arith.mulf %c, %d : f64
      %g = arith.addf %f, %e : f64
      stencil.return %g : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}

// Points that are not stored keep what the field has.
func.func @partial(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %t = stencil.apply(%a = %x : !temp) -> (!temp) {
    %c = stencil.access %a[0, 1, 0] : !temp
    %half = arith.constant 0.5 : f64
    %is = arith.cmpf olt, %c, %half : f64
    %r = scf.if %is -> (!stencil.result<f64>) {
      %s = stencil.store_result %c : !stencil.result<f64>
      scf.yield %s : !stencil.result<f64>
    } else {
      %s = stencil.store_result : !stencil.result<f64>
      scf.yield %s : !stencil.result<f64>
    }
    stencil.return %r : !stencil.result<f64>
  }
  stencil.store %t to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  return
}
func.func @partial_pipeline(%u: !field, %v: !field) {
  stencil.pipeline axis 1 {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1, 0] : !temp
      %half = arith.constant 0.5 : f64
      %is = arith.cmpf olt, %c, %half : f64
      %r = scf.if %is -> (!stencil.result<f64>) {
        %s = stencil.store_result %c : !stencil.result<f64>
        scf.yield %s : !stencil.result<f64>
      } else {
        %s = stencil.store_result : !stencil.result<f64>
        scf.yield %s : !stencil.result<f64>
      }
      stencil.return %r : !stencil.result<f64>
    }
    stencil.store %t to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}

// What is loaded is what was there before the pipeline.
func.func @in_place(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %t:2 = stencil.apply(%a = %x : !temp) -> (!temp, !temp) {
    %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 1]] weights dense<[0.1, 0.7, 0.3]> : tensor<3xf64> : !temp
    %c = stencil.access %a[2, 0, -1] : !temp
    stencil.return %s, %c : f64, f64
  }
  stencil.store %t#0 to %u(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  stencil.store %t#1 to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  return
}
func.func @in_place_pipeline(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x prefetch async : !temp
    %t:2 = stencil.apply(%a = %w : !temp) -> (!temp, !temp) {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 1]] weights dense<[0.1, 0.7, 0.3]> : tensor<3xf64> : !temp
      %c = stencil.access %a[2, 0, -1] : !temp
      stencil.return %s, %c : f64, f64
    }
    stencil.store %t#0 to %u(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
    stencil.store %t#1 to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}

// Halves: the order of the sum and the rounding of every addition show. A sum
// that another stage reads, at the point where it is complete.
!plane = !stencil.field<[-3,?+3]x[-1,?+1]xf16>
!half = !stencil.temp<?x?xf16>
func.func @halves(%u: !plane, %v: !plane) {
  %x = stencil.load %u : !plane -> !half
  %t = stencil.apply(%a = %x : !half) -> (!half) {
    %c = stencil.access %a[-3, 0] : !half
    %d = stencil.access %a[0, 1] : !half
    %e = stencil.access %a[3, -1] : !half
    %f = arith.addf %c, %d : f16
    %g = arith.addf %f, %e : f16
    %h = arith.mulf %g, %g : f16
    stencil.return %h : f16
  }
  stencil.store %t to %v(<[0, 0], [?, ?]>) : !half to !plane
  return
}
func.func @halves_pipeline(%u: !plane, %v: !plane) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !plane -> !half
    %w = stencil.window shuffle %x depth 1 lead 3 : !half
    %t:3 = stencil.apply(%a = %w : !half) -> (!half, !half, !half) attributes {stencil.stage = #stencil.stage<lead = 3>} {
      %c = stencil.access %a[0, 0] : !half
      %d = stencil.access %a[0, 1] : !half
      %e = stencil.access %a[0, -1] : !half
      stencil.return %c, %d, %e : f16, f16, f16
    }
    %s = stencil.accumulate %t#0, %t#1, %t#2 at [-3, 0, 3] : !half
    %r = stencil.apply(%a = %s : !half) -> (!half) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %g = stencil.access %a[0, 0] : !half
      %h = arith.mulf %g, %g : f16
      stencil.return %h : f16
    }
    stencil.store %r to %v(<[0, 0], [?, ?]>) : !half to !plane
  }
  return
}

// Integers, a single axis, and a window that keeps some planes of a sum.
!row = !stencil.field<[-9,?+9]xi32>
!word = !stencil.temp<?xi32>
func.func @line(%u: !row, %v: !row) {
  %x = stencil.load %u : !row -> !word
  %s = stencil.apply(%a = %x : !word) -> (!word) {
    %s = stencil.weighted_sum %a offsets [[-4], [-3], [1]] weights dense<[3, -7, 1]> : tensor<3xi32> : !word
    stencil.return %s : i32
  }
  %r = stencil.apply(%a = %s : !word) -> (!word) {
    %s = stencil.weighted_sum %a offsets [[-2], [5]] weights dense<[1, 11]> : tensor<2xi32> : !word
    stencil.return %s : i32
  }
  stencil.store %r to %v(<[0], [?]>) : !word to !row
  return
}
func.func @line_pipeline(%u: !row, %v: !row) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !row -> !word
    %t:3 = stencil.apply(%a = %x : !word) -> (!word, !word, !word) attributes {stencil.stage = #stencil.stage<lead = 6>} {
      %c = stencil.access %a[0] : !word
      %three = arith.constant 3 : i32
      %seven = arith.constant -7 : i32
      %d = arith.muli %c, %three : i32
      %e = arith.muli %c, %seven : i32
      stencil.return %d, %e, %c : i32, i32, i32
    }
    %s = stencil.accumulate %t#0, %t#1, %t#2 at [-4, -3, 1] : !word
    %w = stencil.window registers %s depth 8 lead 5 : !word
    %r = stencil.apply(%a = %w : !word) -> (!word) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s1 = stencil.weighted_sum %a offsets [[-2], [5]] weights dense<[1, 11]> : tensor<2xi32> : !word
      stencil.return %s1 : i32
    }
    stencil.store %r to %v(<[0], [?]>) : !word to !row
  }
  return
}
