//===- RowVectors.cpp - Points of a row that are no vectors ---------------===//

#include "GPUSchedule.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

void stencil::remarkVectors(Operation *op, const GPUSchedule &schedule) {
  constexpr int64_t kVectorBytes = 16;
  int64_t points = schedule.points.back(), factor = points & -points;
  auto visit = [&](Operation *user) {
    for (Type type : user->getOperandTypes()) {
      auto field = dyn_cast<FieldType>(type);
      if (!field || !hasStorage(field.getElementType()))
        continue;
      int64_t width = kVectorBytes / getElementBytes(field.getElementType());
      int64_t wanted = std::min<int64_t>(
          width, llvm::bit_floor<uint64_t>(static_cast<uint64_t>(points)));
      if (factor >= wanted)
        continue;
      remark::missed(op->getLoc(),
                     remark::RemarkOpts::name("Vectors").category("Schedule"))
          << llvm::formatv("{0} points of a row per thread are no vectors of "
                           "{1}: {2} at a time are loaded and stored",
                           points, wanted, factor)
                 .str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  };
  op->walk(visit);
}
