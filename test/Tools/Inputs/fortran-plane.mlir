// In the spelling of PSyclone's programs of 2024: typed pointers, bounds of stores, offsets of positions that are as long as the
// program has axes, axes of arrays counted from the innermost loop.
builtin.module {
  func.func @_InternalBridgeStencil_0(%k : f64, %p : !llvm.ptr<f64>, %r : !llvm.ptr<f64>, %q : !llvm.ptr<f64>) {
    %au = "llvm.mlir.undef"() : () -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %a0 = "llvm.insertvalue"(%au, %p) <{"position" = array<i64: 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, !llvm.ptr<f64>) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %a1 = "llvm.insertvalue"(%a0, %p) <{"position" = array<i64: 1>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, !llvm.ptr<f64>) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %az = arith.constant 0 : i64
    %a2 = "llvm.insertvalue"(%a1, %az) <{"position" = array<i64: 2>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %ae0 = arith.constant 9 : i64
    %a3 = "llvm.insertvalue"(%a2, %ae0) <{"position" = array<i64: 3, 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %as0 = arith.constant 1 : i64
    %a4 = "llvm.insertvalue"(%a3, %as0) <{"position" = array<i64: 4, 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %ae1 = arith.constant 8 : i64
    %a5 = "llvm.insertvalue"(%a4, %ae1) <{"position" = array<i64: 3, 1>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %as1 = arith.constant 1 : i64
    %a6 = "llvm.insertvalue"(%a5, %as1) <{"position" = array<i64: 4, 1>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %am = builtin.unrealized_conversion_cast %a6 : !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)> to memref<9x8xf64>
    %af = "stencil.external_load"(%am) : (memref<9x8xf64>) -> !stencil.field<[-1,8]x[-1,7]xf64>
    %ru = "llvm.mlir.undef"() : () -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %r0 = "llvm.insertvalue"(%ru, %r) <{"position" = array<i64: 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr<f64>) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %r1 = "llvm.insertvalue"(%r0, %r) <{"position" = array<i64: 1>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr<f64>) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %rz = arith.constant 0 : i64
    %r2 = "llvm.insertvalue"(%r1, %rz) <{"position" = array<i64: 2>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %re0 = arith.constant 9 : i64
    %r3 = "llvm.insertvalue"(%r2, %re0) <{"position" = array<i64: 3, 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %rs0 = arith.constant 1 : i64
    %r4 = "llvm.insertvalue"(%r3, %rs0) <{"position" = array<i64: 4, 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %rm = builtin.unrealized_conversion_cast %r4 : !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> to memref<9xf64>
    %rf = "stencil.external_load"(%rm) : (memref<9xf64>) -> !stencil.field<[-1,8]xf64>
    %bu = "llvm.mlir.undef"() : () -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %b0 = "llvm.insertvalue"(%bu, %q) <{"position" = array<i64: 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, !llvm.ptr<f64>) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %b1 = "llvm.insertvalue"(%b0, %q) <{"position" = array<i64: 1>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, !llvm.ptr<f64>) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %bz = arith.constant 0 : i64
    %b2 = "llvm.insertvalue"(%b1, %bz) <{"position" = array<i64: 2>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %be0 = arith.constant 9 : i64
    %b3 = "llvm.insertvalue"(%b2, %be0) <{"position" = array<i64: 3, 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %bs0 = arith.constant 1 : i64
    %b4 = "llvm.insertvalue"(%b3, %bs0) <{"position" = array<i64: 4, 0>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %be1 = arith.constant 8 : i64
    %b5 = "llvm.insertvalue"(%b4, %be1) <{"position" = array<i64: 3, 1>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %bs1 = arith.constant 1 : i64
    %b6 = "llvm.insertvalue"(%b5, %bs1) <{"position" = array<i64: 4, 1>}> : (!llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
    %bm = builtin.unrealized_conversion_cast %b6 : !llvm.struct<(!llvm.ptr<f64>, !llvm.ptr<f64>, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)> to memref<9x8xf64>
    %bf = "stencil.external_load"(%bm) : (memref<9x8xf64>) -> !stencil.field<[-1,8]x[-1,7]xf64>
    %t = "stencil.load"(%af) : (!stencil.field<[-1,8]x[-1,7]xf64>) -> !stencil.temp<[-1,8]x[-1,7]xf64>
    %s = "stencil.load"(%rf) : (!stencil.field<[-1,8]xf64>) -> !stencil.temp<[-1,8]xf64>
    %o = "stencil.apply"(%t, %s, %k) ({
    ^0(%x : !stencil.temp<[-1,8]x[-1,7]xf64>, %y : !stencil.temp<[-1,8]xf64>, %c : f64):
      %l = "stencil.access"(%x) {"offset" = #stencil.index<-1, 0>, "offset_mapping" = [#builtin.int<1>, #builtin.int<0>]} : (!stencil.temp<[-1,8]x[-1,7]xf64>) -> f64
      %w = "stencil.access"(%y) {"offset" = #stencil.index<1>, "offset_mapping" = [#builtin.int<0>]} : (!stencil.temp<[-1,8]xf64>) -> f64
      %i = "stencil.index"() {"dim" = 1 : i32, "offset" = #stencil.index<0, 0, 0>} : () -> index
      %j = "arith.index_cast"(%i) : (index) -> i32
      %g = "arith.sitofp"(%j) : (i32) -> f64
      %n = arith.negf %g : f64
      %h = "math.copysign"(%l, %n) <{"fastmath" = #arith.fastmath<none>}> : (f64, f64) -> f64
      %m = arith.maximumf %h, %w : f64
      %e = arith.divf %m, %c : f64
      "stencil.return"(%e) : (f64) -> ()
    }) : (!stencil.temp<[-1,8]x[-1,7]xf64>, !stencil.temp<[-1,8]xf64>, f64) -> !stencil.temp<[0,7]x[0,6]xf64>
    "stencil.store"(%o, %bf) {"lb" = #stencil.index<0, 0>, "ub" = #stencil.index<7, 6>} : (!stencil.temp<[0,7]x[0,6]xf64>, !stencil.field<[-1,8]x[-1,7]xf64>) -> ()
    "stencil.external_store"(%bf, %bm) : (!stencil.field<[-1,8]x[-1,7]xf64>, memref<9x8xf64>) -> ()
    func.return
  }
}
