//===- CheckedSerializer.h - Serializers with errors of ours ----*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TARGET_CHECKEDSERIALIZER_H
#define STENCILDIALECT_LIB_TARGET_CHECKEDSERIALIZER_H

#include "StencilDialect/Target/LLVMTranslation.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace stencil {

/// A serializer of gpu.module, with the steps of LLVM::ModuleToObject::run, but
/// for the first: that one prints what LLVM's verifier says.
template <typename Base> class CheckedSerializer : public Base {
public:
  using Base::Base;

  std::optional<llvm::SmallVector<char, 0>> run() final {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> code =
        translateToLLVM(&this->getOperation(), context);
    if (!code)
      return std::nullopt;
    this->setDataLayoutAndTriple(*code);
    this->handleModulePreLink(*code);
    auto libraries = this->loadBitcodeFiles(*code);
    if (!libraries)
      return std::nullopt;
    if (!libraries->empty() &&
        failed(this->linkFiles(*code, std::move(*libraries))))
      return std::nullopt;
    this->handleModulePostLink(*code);
    if (failed(this->optimizeModule(*code, this->optLevel)))
      return std::nullopt;
    mlir::FailureOr<llvm::SmallVector<char, 0>> object =
        this->moduleToObject(*code);
    std::optional<llvm::SmallVector<char, 0>> result;
    if (succeeded(object))
      result.emplace(std::move(*object));
    return result;
  }
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TARGET_CHECKEDSERIALIZER_H
