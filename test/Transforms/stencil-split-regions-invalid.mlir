// RUN: stencil-opt %s --split-input-file --stencil-split-regions=max-regions=2 --verify-diagnostics --remarks-filter=Regions
// RUN: echo "module {}" | not stencil-opt --stencil-split-regions=regions=seven 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: echo "module {}" | not stencil-opt --stencil-split-regions=max-regions=1 2>&1 | FileCheck %s --check-prefix=MAX

// RUN: echo "module {}" | not stencil-opt --stencil-split-regions=axes=1,-1 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: echo "module {}" | not stencil-opt --stencil-split-regions=axes=1,0,1 2>&1 | FileCheck %s --check-prefix=TWICE
// AXIS: expected different axes from 0 on, got axis -1
// TWICE: expected different axes from 0 on, got axis 1 twice

// MODE: expected regions=all, regions=two or regions=keep, got 'seven'
// MAX: expected max-regions from 2 to 4096, got 1

!field = !stencil.field<[0,20]x[0,20]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @no_branch(%f: !field, %g: !field) {
  %t = stencil.load %f : !field -> !temp
  // expected-error @+1 {{'stencil.apply' op cannot be split into regions: expected a branch on comparisons of stencil.index with constants}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.regions = "all"} {
    %c = stencil.access %x[0, 0] : !temp
    stencil.return %c : f64
  }
  stencil.store %r to %g(<[0, 0], [20, 20]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,20]x[0,20]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @diagonal(%f: !field, %g: !field) {
  %t = stencil.load %f : !field -> !temp
  // expected-error @+1 {{cannot be split into regions: a branch depends on stencil.index, but not in a way that is decided on boxes: expected comparisons of one coordinate with constants}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.regions = "two"} {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 0]>
    %b = arith.cmpi slt, %i, %j : index
    %c = stencil.access %x[0, 0] : !temp
    %d = arith.addf %c, %c : f64
    // expected-note @+1 {{the branch is here}}
    %s = arith.select %b, %c, %d : f64
    stencil.return %s : f64
  }
  stencil.store %r to %g(<[0, 0], [20, 20]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,20]x[0,20]xf64>
!temp = !stencil.temp<?x?xf64>

// Not asked for: a remark.

func.func @too_many(%f: !field, %g: !field) {
  %t = stencil.load %f : !field -> !temp
  // expected-remark @+1 {{[Missed] NotSplit | Category:Regions | Remark="not split into regions: it would take 3 regions, more than 2"}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %i = stencil.index 0 <[0, 0]>
    %lo = arith.constant 5 : index
    %hi = arith.constant 15 : index
    %a = arith.cmpi slt, %i, %lo : index
    %b = arith.cmpi sge, %i, %hi : index
    %any = arith.ori %a, %b : i1
    %c = stencil.access %x[0, 0] : !temp
    %d = arith.addf %c, %c : f64
    %s = arith.select %any, %c, %d : f64
    stencil.return %s : f64
  }
  stencil.store %r to %g(<[0, 0], [20, 20]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,20]xf64>

// expected-error @+1 {{'func.func' op expected 'stencil.regions' on a stencil.apply only}}
func.func @elsewhere(%f: !field) attributes {stencil.regions = "all"} {
  return
}

// -----

!field = !stencil.field<[0,20]xf64>

func.func @unknown(%f: !field, %g: !field) {
  // expected-error @+1 {{expected "all", "two" or "keep" as 'stencil.regions', got "seven"}}
  stencil.apply(%x = %f : !field) outs (%g : !field) attributes {stencil.regions = "seven"} {
    %c = stencil.access %x[0] : !field
    stencil.return %c : f64
  } to <[0], [20]>
  return
}

// -----

!field = !stencil.field<[0,20]x[0,20]xf64>
!temp = !stencil.temp<?x?xf64>

// There is a branch, but on another axis.

func.func @other_axis(%f: !field, %g: !field) {
  %t = stencil.load %f : !field -> !temp
  // expected-error @+1 {{cannot be split into regions: expected a branch on comparisons of stencil.index with constants along axis 0}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.regions = "all", stencil.region_axes = array<i64: 0>} {
    %j = stencil.index 1 <[0, 0]>
    %c5 = arith.constant 5 : index
    %b = arith.cmpi slt, %j, %c5 : index
    %c = stencil.access %x[0, 0] : !temp
    %d = arith.addf %c, %c : f64
    // expected-note @+1 {{the branch is here}}
    %s = arith.select %b, %c, %d : f64
    stencil.return %s : f64
  }
  stencil.store %r to %g(<[0, 0], [20, 20]>) : !temp to !field
  return
}

// -----

!temp = !stencil.temp<[0,20]xf64>

func.func @axes(%t: !temp) -> !temp {
  // expected-error @+1 {{'stencil.apply' op expected different axes from 0 to 0 as 'stencil.region_axes', got array<i64: 0, 1>}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.region_axes = array<i64: 0, 1>} {
    %c = stencil.access %x[0] : !temp
    stencil.return %c : f64
  }
  return %r : !temp
}

// -----

!temp = !stencil.temp<[0,20]xf64>

func.func @no_axes(%t: !temp) -> !temp {
  // expected-error @+1 {{'stencil.apply' op expected an array<i64> of axes as 'stencil.region_axes', got 0 : i64}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.region_axes = 0 : i64} {
    %c = stencil.access %x[0] : !temp
    stencil.return %c : f64
  }
  return %r : !temp
}

// -----

// expected-error @+1 {{'func.func' op expected 'stencil.region_axes' on a stencil.apply only}}
func.func @elsewhere(%t: !stencil.field<[0,20]xf64>) attributes {stencil.region_axes = array<i64: 0>} {
  return
}
