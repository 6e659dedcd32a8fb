def Stencil@CLASS@ : Pass<"@FLAG@", "::mlir::ModuleOp"> {
  let summary = "@SUMMARY@";
  let description = [{
    Every product with two inside an apply becomes a sum.

    Before:
    ```mlir
    %two = arith.constant 2.0 : f64
    %r = arith.mulf %x, %two : f64
    ```
    After: `%r = arith.addf %x, %x : f64`.

    Needs inferred shapes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

