//===- TileInterfaces.td - How stages are computed ----------*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEINTERFACES_TD
#define STENCILDIALECT_TILE_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_EngineAttrInterface : AttrInterface<"EngineAttrInterface"> {
  let cppNamespace = "::stencil::tile";
  let description = [{
    How threads compute a stage: the attribute `tile.engine` of a `stencil.apply` in a `tile.kernel`. An
    engine says what it can compute, what it asks of the memory of its operands, who gets the results, and makes
    the code of a thread (`StageEmission`). A new one is an attribute with a model of this interface, in a file of its own.
  }];
  let methods = [
    InterfaceMethod<[{
      Fails, with an error at the stage, if this engine cannot compute it.
    }], "::llvm::LogicalResult", "check",
    (ins "::stencil::ApplyOp":$stage, "::stencil::tile::KernelOp":$kernel)>,
    InterfaceMethod<[{
      Whether all threads of the block compute a stage together, at all of their points: in a `tile.where` too, of which
      the engine heeds itself what is needed.
    }], "bool", "takesAllThreads">,
    InterfaceMethod<[{
      Whether a thread's points are computed at once, not row by row.
    }], "bool", "takesAllPoints", (ins), "", "return false;">,
    InterfaceMethod<[{
      Whether threads give each other values that they hold, so that a stage may read neighbours of them.
    }], "bool", "sharesValues", (ins), "", "return false;">,
    InterfaceMethod<[{
      What the engine asks of a ring that is operand number `input` of a stage. By default: rows that begin and end at
      sectors of the caches.
    }], "::stencil::tile::OperandAccess", "getOperandAccess",
    (ins "::stencil::ApplyOp":$stage, "unsigned":$input), "",
    "return {::stencil::tile::kSectorBytes};">,
    InterfaceMethod<[{
      Which thread has which point of the results. By default: as the stage says, or else the kernel.
    }], "::stencil::tile::LayoutAttr", "getResultLayout",
    (ins "::stencil::ApplyOp":$stage, "::stencil::tile::KernelOp":$kernel), "",
    "return ::stencil::tile::getStageLayout(stage, kernel);">,
    InterfaceMethod<[{
      What a thread does for a row of as many neighbouring points.
    }], "::stencil::tile::EngineCount", "count",
    (ins "::stencil::ApplyOp":$stage, "int64_t":$points)>,
    InterfaceMethod<[{
      Makes the code of a thread for a row of its points. Fails with an error.
    }], "::llvm::LogicalResult", "emit",
    (ins "::stencil::tile::StageEmission &":$emission)>,
  ];
}

#endif // STENCILDIALECT_TILE_TILEINTERFACES_TD
