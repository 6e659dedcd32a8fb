//===- FormsJson.h - Reading forms ------------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_TUNING_FORMSJSON_H
#define STENCIL_LIB_TUNING_FORMSJSON_H

#include "JsonReader.h"
#include "StencilDialect/Tuning/Forms.h"

namespace stencil {

void readJson(JsonReader &reader, const llvm::json::Value &value,
              const std::string &place, TuningForm &form);

} // namespace stencil

#endif // STENCIL_LIB_TUNING_FORMSJSON_H
