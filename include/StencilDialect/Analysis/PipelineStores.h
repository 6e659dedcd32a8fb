//===- PipelineStores.h - Who may store what a stage makes ------*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_PIPELINESTORES_H
#define STENCILDIALECT_ANALYSIS_PIPELINESTORES_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Whether nothing else in the pipeline of a store reads or writes its memory:
/// then any thread may store any point of the tile, whatever the others have
/// done so far.
bool isStoredAlone(StoreOp store, FieldAliasAnalysis &aliases);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_PIPELINESTORES_H
