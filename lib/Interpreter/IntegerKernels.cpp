//===- IntegerKernels.cpp - Integer arithmetic and comparison -------------===//
//
// Two's complement, wrapping. What is poison in MLIR is given a value, so that
// a run is repeatable: a shift by the width or more shifts everything out.
//
//===----------------------------------------------------------------------===//

#include "KernelTemplates.h"
#include "llvm/ADT/bit.h"

using namespace stencil::interp;

namespace {

// NOLINTBEGIN(readability-identifier-naming): I is a traits class.
template <typename I> using U = typename I::Unsigned;
template <typename I> using W = typename I::Wide;

struct AddI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return W<I>(a) + b;
  }
};
struct SubI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return W<I>(a) - b;
  }
};
struct MulI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return W<I>(a) * b;
  }
};
struct AndI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) { return a & b; }
};
struct OrI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) { return a | b; }
};
struct XOrI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) { return a ^ b; }
};
struct ShLI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return b >= I::width ? 0 : W<I>(a) << b;
  }
};
struct ShRUI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return b >= I::width ? 0 : a >> b;
  }
};
struct ShRSI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return static_cast<W<I>>(I::toSigned(a) >>
                             (b >= I::width ? I::width - 1 : b));
  }
};
struct MaxSI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return I::toSigned(a) > I::toSigned(b) ? a : b;
  }
};
struct MinSI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return I::toSigned(a) < I::toSigned(b) ? a : b;
  }
};
struct MaxUI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return a > b ? a : b;
  }
};
struct MinUI {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return a < b ? a : b;
  }
};
struct AbsI {
  template <typename I> static W<I> apply(U<I> a) {
    return I::toSigned(a) < 0 ? W<I>(0) - a : a;
  }
};
struct CtLZ {
  template <typename I> static W<I> apply(U<I> a) {
    return I::width - (a == 0 ? 0 : 64 - llvm::countl_zero<uint64_t>(a));
  }
};
struct CtTZ {
  template <typename I> static W<I> apply(U<I> a) {
    return a == 0 ? I::width : llvm::countr_zero<uint64_t>(a);
  }
};
struct CtPop {
  template <typename I> static W<I> apply(U<I> a) {
    return llvm::popcount<uint64_t>(a);
  }
};

// Second results of pairs.
struct AddCarry {
  template <typename I> static bool apply(U<I> a, U<I> b) {
    return I::wrap(W<I>(a) + b) < a;
  }
};
struct MulHighS {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return static_cast<W<I>>(
        (static_cast<__int128>(I::toSigned(a)) * I::toSigned(b)) >> I::width);
  }
};
struct MulHighU {
  template <typename I> static W<I> apply(U<I> a, U<I> b) {
    return static_cast<W<I>>((static_cast<unsigned __int128>(a) * b) >>
                             I::width);
  }
};

/// Predicates in the order of arith::CmpIPredicate.
template <unsigned predicate> struct CompareI {
  template <typename I> static bool apply(U<I> a, U<I> b) {
    if constexpr (predicate == 0)
      return a == b;
    else if constexpr (predicate == 1)
      return a != b;
    else if constexpr (predicate == 2)
      return I::toSigned(a) < I::toSigned(b);
    else if constexpr (predicate == 3)
      return I::toSigned(a) <= I::toSigned(b);
    else if constexpr (predicate == 4)
      return I::toSigned(a) > I::toSigned(b);
    else if constexpr (predicate == 5)
      return I::toSigned(a) >= I::toSigned(b);
    else if constexpr (predicate == 6)
      return a < b;
    else if constexpr (predicate == 7)
      return a <= b;
    else if constexpr (predicate == 8)
      return a > b;
    else
      return a >= b;
  }
};

template <unsigned... predicates>
Kernel getCompare(unsigned predicate, Kind kind,
                  std::integer_sequence<unsigned, predicates...>) {
  static constexpr KernelRow rows[] = {
      intRow<CompareI<predicates>, IntTest>()...};
  return pick(rows[predicate], kind);
}
// NOLINTEND(readability-identifier-naming)

struct IntegerEntry {
  llvm::StringLiteral name;
  KernelRow row;
};

template <size_t size>
Kernel find(const IntegerEntry (&entries)[size], llvm::StringRef op,
            Kind kind) {
  for (const IntegerEntry &entry : entries)
    if (entry.name == op && !isFloat(kind))
      return pick(entry.row, kind);
  return nullptr;
}

} // namespace

Kernel stencil::interp::getIntegerKernel(llvm::StringRef op, Kind kind) {
  static constexpr IntegerEntry entries[] = {
      {"arith.addi", intRow<AddI, IntBinary>()},
      {"arith.subi", intRow<SubI, IntBinary>()},
      {"arith.muli", intRow<MulI, IntBinary>()},
      {"arith.andi", intRow<AndI, IntBinary>()},
      {"arith.ori", intRow<OrI, IntBinary>()},
      {"arith.xori", intRow<XOrI, IntBinary>()},
      {"arith.shli", intRow<ShLI, IntBinary>()},
      {"arith.shrui", intRow<ShRUI, IntBinary>()},
      {"arith.shrsi", intRow<ShRSI, IntBinary>()},
      {"arith.maxsi", intRow<MaxSI, IntBinary>()},
      {"arith.minsi", intRow<MinSI, IntBinary>()},
      {"arith.maxui", intRow<MaxUI, IntBinary>()},
      {"arith.minui", intRow<MinUI, IntBinary>()},
      {"math.absi", intRow<AbsI, IntUnary>()},
      {"math.ctlz", intRow<CtLZ, IntUnary>()},
      {"math.cttz", intRow<CtTZ, IntUnary>()},
      {"math.ctpop", intRow<CtPop, IntUnary>()},
  };
  return find(entries, op, kind);
}

Kernel stencil::interp::getPairKernel(llvm::StringRef op, unsigned result,
                                      Kind kind) {
  if (op == "math.sincos")
    return getMathKernel(result == 0 ? "math.sin" : "math.cos", kind);
  static constexpr IntegerEntry low[] = {
      {"arith.addui_extended", intRow<AddI, IntBinary>()},
      {"arith.mulsi_extended", intRow<MulI, IntBinary>()},
      {"arith.mului_extended", intRow<MulI, IntBinary>()},
  };
  static constexpr IntegerEntry high[] = {
      {"arith.addui_extended", intRow<AddCarry, IntTest>()},
      {"arith.mulsi_extended", intRow<MulHighS, IntBinary>()},
      {"arith.mului_extended", intRow<MulHighU, IntBinary>()},
  };
  return result == 0 ? find(low, op, kind) : find(high, op, kind);
}

Kernel stencil::interp::getCompareIntegerKernel(unsigned predicate, Kind kind) {
  if (predicate > 9 || isFloat(kind))
    return nullptr;
  return getCompare(predicate, kind,
                    std::make_integer_sequence<unsigned, 10>());
}
