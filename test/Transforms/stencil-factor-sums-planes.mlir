// Partial sums pay where enough points share them: of a volume that is walked through all, of a plane the rows of a thread.
// RUN: stencil-opt %s --stencil-factor-sums=math=reassociate --remarks-filter=Sums 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// As many rows as are asked for.
// RUN: stencil-opt %s --stencil-factor-sums="math=reassociate points=100000" | FileCheck %s --check-prefix=ALL

// Weights of rank four: four sums of a row, each of which is added four times.
// REMARK: remark: [Missed] SumNotFactored | Category:Sums | Remark="{{5[0-9].[0-9]}} operations per point along axes, 49 of the sum as it is"
// CHECK-LABEL: func @plane
// CHECK: stencil.weighted_sum {{.*}}tensor<49xf64>
// CHECK-NOT: stencil.weighted_sum
// ALL-LABEL: func @plane
// ALL-NOT: tensor<49xf64>
func.func @plane(%u: !stencil.field<[-3,67]x[-3,67]xf64>, %v: !stencil.field<[-3,67]x[-3,67]xf64>) {
  %t = stencil.load %u : !stencil.field<[-3,67]x[-3,67]xf64> -> !stencil.temp<?x?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    %s = stencil.weighted_sum %x offsets [[-3, -3], [-3, -2], [-3, -1], [-3, 0], [-3, 1], [-3, 2], [-3, 3], [-2, -3], [-2, -2], [-2, -1], [-2, 0], [-2, 1], [-2, 2], [-2, 3], [-1, -3], [-1, -2], [-1, -1], [-1, 0], [-1, 1], [-1, 2], [-1, 3], [0, -3], [0, -2], [0, -1], [0, 0], [0, 1], [0, 2], [0, 3], [1, -3], [1, -2], [1, -1], [1, 0], [1, 1], [1, 2], [1, 3], [2, -3], [2, -2], [2, -1], [2, 0], [2, 1], [2, 2], [2, 3], [3, -3], [3, -2], [3, -1], [3, 0], [3, 1], [3, 2], [3, 3]] weights dense<[211.0, 133.0, 121.0, 279.0, 275.0, 120.0, 182.0, 464.0, 285.0, 202.0, 514.0, 625.0, 223.0, 338.0, 363.0, 247.0, 175.0, 491.0, 429.0, 228.0, 292.0, 205.0, 196.0, 147.0, 337.0, 190.0, 111.0, 156.0, 291.0, 188.0, 133.0, 383.0, 354.0, 185.0, 236.0, 487.0, 336.0, 278.0, 608.0, 628.0, 225.0, 374.0, 352.0, 305.0, 192.0, 496.0, 361.0, 179.0, 238.0]> : tensor<49xf64> : !stencil.temp<?x?xf64>
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 64]>) : !stencil.temp<?x?xf64> to !stencil.field<[-3,67]x[-3,67]xf64>
  return
}

// REMARK: remark: [Passed] SumFactored | Category:Sums | Remark="{{.*}} operations per point instead of 49
// CHECK-LABEL: func @volume
// CHECK-NOT: tensor<49xf64>
// CHECK: return
// ALL-LABEL: func @volume
// ALL-NOT: tensor<49xf64>
func.func @volume(%u: !stencil.field<[-3,67]x[-3,67]x[0,64]xf64>, %v: !stencil.field<[-3,67]x[-3,67]x[0,64]xf64>) {
  %t = stencil.load %u : !stencil.field<[-3,67]x[-3,67]x[0,64]xf64> -> !stencil.temp<?x?x?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) {
    %s = stencil.weighted_sum %x offsets [[-3, -3, 0], [-3, -2, 0], [-3, -1, 0], [-3, 0, 0], [-3, 1, 0], [-3, 2, 0], [-3, 3, 0], [-2, -3, 0], [-2, -2, 0], [-2, -1, 0], [-2, 0, 0], [-2, 1, 0], [-2, 2, 0], [-2, 3, 0], [-1, -3, 0], [-1, -2, 0], [-1, -1, 0], [-1, 0, 0], [-1, 1, 0], [-1, 2, 0], [-1, 3, 0], [0, -3, 0], [0, -2, 0], [0, -1, 0], [0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 3, 0], [1, -3, 0], [1, -2, 0], [1, -1, 0], [1, 0, 0], [1, 1, 0], [1, 2, 0], [1, 3, 0], [2, -3, 0], [2, -2, 0], [2, -1, 0], [2, 0, 0], [2, 1, 0], [2, 2, 0], [2, 3, 0], [3, -3, 0], [3, -2, 0], [3, -1, 0], [3, 0, 0], [3, 1, 0], [3, 2, 0], [3, 3, 0]] weights dense<[211.0, 133.0, 121.0, 279.0, 275.0, 120.0, 182.0, 464.0, 285.0, 202.0, 514.0, 625.0, 223.0, 338.0, 363.0, 247.0, 175.0, 491.0, 429.0, 228.0, 292.0, 205.0, 196.0, 147.0, 337.0, 190.0, 111.0, 156.0, 291.0, 188.0, 133.0, 383.0, 354.0, 185.0, 236.0, 487.0, 336.0, 278.0, 608.0, 628.0, 225.0, 374.0, 352.0, 305.0, 192.0, 496.0, 361.0, 179.0, 238.0]> : tensor<49xf64> : !stencil.temp<?x?x?xf64>
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !stencil.temp<?x?x?xf64> to !stencil.field<[-3,67]x[-3,67]x[0,64]xf64>
  return
}
