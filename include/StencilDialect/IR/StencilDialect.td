//===- StencilDialect.td - The stencil dialect --------------*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_STENCILDIALECT_TD
#define STENCILDIALECT_IR_STENCILDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Stencil_Dialect : Dialect {
  let name = "stencil";
  let cppNamespace = "::stencil";
  let summary = "stencil computations on regular grids";
  let description = [{
    A program loads fields into values (`stencil.load`), applies stencils to
    values (`stencil.apply`), and stores values to boxes of fields
    (`stencil.store`). Axes are numbered as in the field type; the last axis is
    contiguous in memory. Bounds are half-open, `[lb, ub)`, in a coordinate
    system whose origin is the first interior point.

    The syntax of the shared part is that of the `stencil` dialect of xDSL, so
    that programs of Devito, PSyclone and Open Earth Compiler parse unchanged.
    Additions of this dialect: `stencil.boundary`, `stencil.fold`, bounds
    that are relative to the extent of an axis (`?`, `?+k`, `?-k`), with which
    one compiled program serves every grid size; and `stencil.weighted_sum`, the
    normal form of what passes compute with.

    A load is a snapshot: an apply reads its inputs as they were when they were
    loaded, and its results are nowhere until they are stored. Storing over a
    loaded field is therefore well defined.
  }];
  // Flags of weighted sums.
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

class Stencil_Attr<string name, string attrMnemonic>
    : AttrDef<Stencil_Dialect, name> {
  let mnemonic = attrMnemonic;
}

#endif // STENCILDIALECT_IR_STENCILDIALECT_TD
