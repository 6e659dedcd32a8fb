!field = !stencil.field<[0,128]x[0,128]xf64>
!temp = !stencil.temp<?x?xf64>

// Reads a buffer, in parallel, `shift` rows away: 0 and -1 are within the range.
func.func @gather(%u: !field, %v: !field, %shift: index) {
  %in = stencil.load %u : !field -> !temp
  %twice = stencil.apply (%a = %in : !temp) -> (!temp) {
    %x = stencil.access %a [0, 0] : !temp
    %y = arith.addf %x, %x : f64
    stencil.return %y : f64
  }
  %out = stencil.apply (%a = %twice : !temp, %by = %shift : index) -> (!temp) {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 0]>
    %k = arith.addi %i, %by : index
    %x = stencil.dyn_access %a[%k, %j] in <[-1, 0]> : <[1, 0]> : !temp
    stencil.return %x : f64
  }
  stencil.store %out to %v(<[1, 1], [127, 127]>) : !temp to !field
  return
}

// One extent for two fields; a step that only the run knows.
func.func @steps(%u: !stencil.field<[-1,?+1]xf64>, %v: !stencil.field<[-1,?+1]xf64>, %step: index) -> i64 {
  %zero = arith.constant 0 : index
  %ten = arith.constant 10 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %count = scf.for %i = %zero to %ten step %step iter_args(%before = %none) -> i64 {
    %next = arith.addi %before, %one : i64
    scf.yield %next : i64
  }
  return %count : i64
}

// A quotient that there may not be; in rows of vectors.
func.func @divide(%u: !field, %v: !field, %by: i64) {
  %in = stencil.load %u : !field -> !temp
  %out = stencil.apply (%a = %in : !temp, %d = %by : i64) -> (!temp) {
    %i = stencil.index 0 <[0, 0]>
    %k = arith.index_cast %i : index to i64
    %q = arith.divsi %k, %d : i64
    %w = arith.sitofp %q : i64 to f64
    %x = stencil.access %a [0, 0] : !temp
    %y = arith.addf %w, %x : f64
    stencil.return %y : f64
  }
  stencil.store %out to %v(<[1, 1], [127, 127]>) : !temp to !field
  return
}
