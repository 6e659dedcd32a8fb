// RUN: not stencil-opt %s --stencil-factor-sums=form=axes 2>&1 | FileCheck %s --check-prefix=MATH
// MATH: error: 'stencil.weighted_sum' op cannot be factored: its order may not be changed; needs math=reassociate, or fastmath<reassoc> on the sum
// RUN: not stencil-opt %s --stencil-factor-sums="math=reassociate form=axes rank=1 tolerance=1e-9" 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: error: 'stencil.weighted_sum' op cannot be factored: no decomposition is as precise as asked for: the best one is off by 0.{{[0-9]+$}}
// RUN: not stencil-opt %s --stencil-factor-sums="tolerance=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: expected a tolerance from 0 to below 1, got -1
// RUN: not stencil-opt %s --stencil-factor-sums="tolerance=nan" 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: expected a tolerance from 0 to below 1, got nan
// RUN: not stencil-opt %s --stencil-factor-sums="form=svd" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: expected form=auto, axes or weights, got 'svd'

// By default, remarks.
// RUN: stencil-opt %s --stencil-factor-sums --remarks-filter=Sums 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: [Missed] SumNotFactored | Category:Sums | Remark="its order may not be changed

!temp = !stencil.temp<?x?xf64>

func.func @two_vectors(%u: !stencil.field<[-1,9]x[-1,9]xf64>, %v: !stencil.field<[-1,9]x[-1,9]xf64>) {
  %t = stencil.load %u : !stencil.field<[-1,9]x[-1,9]xf64> -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [0, -1], [0, 0], [0, 1], [1, 1]] weights dense<[1.0, 2.0, 2.0, 4.0, 3.0, 1.5]> : tensor<6xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [8, 8]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  return
}
