//===- Products.h - GPUs as they are sold -----------------------*- C++ -*-===//
//
// Products with one chip differ in what memory, clock and number of
// multiprocessors decide. A product that is not in the table can be measured
// where it is at hand (Execution/DeviceTarget.h), and is known from then on.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_PRODUCTS_H
#define STENCILDIALECT_TARGET_PRODUCTS_H

#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// Sizes in bytes, rates per second.
struct Product {
  /// In lower case, such as "h100".
  std::string name;
  /// As LLVM calls it: one with an architecture that is described.
  std::string chip;
  unsigned multiprocessors;
  /// The highest that it runs at.
  double clock;
  uint64_t l2Bytes, dramBytes;
  /// Of the data sheet.
  double dramBandwidth;
  /// What programs reached where it was measured, else 0.
  double measuredBandwidth = 0, measuredFp64 = 0, measuredFp32 = 0;
  /// What the driver's name for it has in it, where others with the chip have
  /// as many multiprocessors.
  std::string mark = {};
};

/// What the driver says of a device; 0 and empty: nothing.
struct DriverFigures {
  std::string chip, name;
  unsigned multiprocessors = 0;
  uint64_t memoryClockKHz = 0;
  unsigned memoryBusBits = 0;
};

/// All products of the table.
llvm::ArrayRef<Product> getProducts();

/// The product that a device is; null if it is none of the table, as a part of
/// a device is none.
const Product *findProduct(const DriverFigures &figures);

/// Whether it is described what products with this chip have.
bool hasArchitecture(llvm::StringRef chip);

/// What a product has: its architecture's figures, by its own.
TargetInfo describeProduct(const Product &product);

/// Makes a product known to getTargetInfo, under its name, for as long as the
/// process lives. Fails if the name is another one's, or the chip has no
/// described architecture.
llvm::Error addProduct(const Product &product);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_PRODUCTS_H
