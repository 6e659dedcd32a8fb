//===- AsanOptions.cpp - Defaults of AddressSanitizer ---------------------===//
//
// Linked into every program of an AddressSanitizer build. LLVM's allocators
// poison and unpoison memory from inline functions, of which some run in our
// instrumented code and some in LLVM's shared library, which is not: so their
// poisoning has to be ignored.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() { // NOLINT
  return "allow_user_poisoning=0";
}
