//===- BodyGraph.h - What the ops of a body need of each other --*- C++ -*-===//

#ifndef STENCIL_LIB_ANALYSIS_BODYGRAPH_H
#define STENCIL_LIB_ANALYSIS_BODYGRAPH_H

#include "StencilDialect/Analysis/BodyOrder.h"
#include "llvm/ADT/DenseMap.h"

namespace stencil {

/// Stands for no input, and for several of them.
inline constexpr unsigned kNoInput = ~0U, kSeveralInputs = ~0U - 1;

inline unsigned joinInputs(unsigned a, unsigned b) {
  if (a == kNoInput || a == b)
    return b;
  return b == kNoInput ? a : kSeveralInputs;
}

/// A load, or ops that are computed together: an operator.
struct BodyItem {
  /// Numbers of ops, in the order of the body.
  std::vector<unsigned> ops;
  /// Other items, each once.
  std::vector<unsigned> operands, users;
  /// Of 32 bits, for the results.
  int64_t registers = 0;
  bool isReturned = false;
  /// Of a load.
  unsigned input = kNoInput;

  bool isLoad() const { return input != kNoInput; }
};

/// The ops of a body, numbered as they are written, and the items that they
/// form: an op goes with its only user if both depend on one and the same
/// input.
class BodyGraph {
public:
  explicit BodyGraph(ApplyOp apply);

  llvm::ArrayRef<BodyItem> getItems() const { return items; }
  /// Those of which there are loads, in order.
  llvm::ArrayRef<unsigned> getInputs() const { return inputs; }
  /// The items that are loads of an input.
  llvm::ArrayRef<unsigned> getLoads(unsigned input) const {
    return loads.find(input)->second;
  }

  /// Numbers of all ops, in the order of the body.
  std::vector<unsigned> getWritten() const;
  /// Those of ops, in this order of items without loads: each load before its
  /// first use.
  std::vector<unsigned> listOps(llvm::ArrayRef<unsigned> order) const;
  LiveRegisters measure(llvm::ArrayRef<unsigned> order) const;
  OpOrder getOps(llvm::ArrayRef<unsigned> order) const;

private:
  struct Op {
    mlir::Operation *op = nullptr;
    /// The ops whose results it uses, each once.
    std::vector<unsigned> sources;
    unsigned uses = 0;
    int64_t registers = 0;
    bool isLoad = false;
    bool isReturned = false;
    unsigned input = kNoInput;
    unsigned item = 0;
  };

  void addOps(ApplyOp apply);
  void addItems();
  void connect();

  std::vector<Op> ops;
  std::vector<BodyItem> items;
  std::vector<unsigned> inputs;
  llvm::DenseMap<unsigned, std::vector<unsigned>> loads;
};

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_BODYGRAPH_H
