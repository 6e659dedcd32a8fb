//===- BodyInterfaces.td - What is asked of ops of bodies ---*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_BODYINTERFACES_TD
#define STENCILDIALECT_IR_BODYINTERFACES_TD

include "mlir/IR/OpBase.td"

/// The op stands in the body of an apply, at any depth. Verified.
def Stencil_InBody : NativeOpTrait<"InBody"> {
  let cppNamespace = "::stencil";
}

def Stencil_PlacedOpInterface : OpInterface<"PlacedOpInterface"> {
  let cppNamespace = "::stencil";
  let description = [{
    An op of a body whose value depends on the point that the body is evaluated
    at: it reads an input, or the coordinates of the point. Whoever evaluates a
    body elsewhere asks it to move.
  }];
  let methods = [
    InterfaceMethod<[{
        Has the op evaluated `offset` further, in an apply that has as many
        axes: `axes` are those of the apply that it comes from, in that one.
      }],
      "void", "move", (ins "::llvm::ArrayRef<int64_t>":$offset,
                           "::llvm::ArrayRef<int64_t>":$axes)>,
    InterfaceMethod<[{
        The neighbours that it reads of an input, its first operand: the hull of
        their offsets, both ends included, and the axis of the apply for every
        axis of the input. False, if it reads none.
      }],
      "bool", "getReadHull", (ins "::llvm::SmallVectorImpl<int64_t> &":$axes,
                                  "::llvm::SmallVectorImpl<int64_t> &":$lower,
                                  "::llvm::SmallVectorImpl<int64_t> &":$upper),
      "", "return false;">,
    InterfaceMethod<
      "Whether what it reads depends on more than the point: windows do not have it.",
      "bool", "readsComputedPoints", (ins), "", "return false;">,
    InterfaceMethod<[{
        Whether it needs to know the coordinate of the point along an axis, or
        along any, if none is given.
      }],
      "bool", "usesCoordinate", (ins "::std::optional<int64_t>":$axis), "",
      "return $_op.readsComputedPoints();">
  ];
}

def Stencil_PointwiseOpInterface : OpInterface<"PointwiseOpInterface"> {
  let cppNamespace = "::stencil";
  let description = [{
    An op of a body whose results follow from its operands alone, all of them
    scalars, and that cannot fail. It says which ops compute the same: the
    interpreter, the costs and the conversions evaluate those. They take vectors
    as well, where the conversions make a point a row of points.
  }];
  let methods = [
    InterfaceMethod<[{
        Creates ops of arith and math that compute the results, of these
        operands. A constant is made for their type: a scalar, or a vector.
      }],
      "::llvm::SmallVector<::mlir::Value>", "expand",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands)>
  ];
}

#endif // STENCILDIALECT_IR_BODYINTERFACES_TD
