//===- Executable.cpp - A program that is ready to be called --------------===//

#include "StencilDialect/Execution/Executable.h"
#include "ExecutableCache.h"
#include "ExecutableOptions.h"
#include "ImageCompilation.h"
#include "LoadedObject.h"
#include "StencilDialect/Tools/Source.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Support/FileUtilities.h"

using namespace mlir;
using namespace stencil;

Executable::~Executable() = default;

namespace {

class LoadedExecutable : public Executable {
public:
  LoadedExecutable(ExecutableImage image, ExecutableOptions options,
                   std::unique_ptr<LoadedObject> object, bool cached)
      : callSignature(std::move(image.signature)),
        signature(describe(callSignature)), remarks(std::move(image.remarks)),
        options(std::move(options)), object(std::move(object)), cached(cached) {
  }

  const ExecutableSignature &getSignature() const override { return signature; }
  const ExecutableOptions &getOptions() const override { return options; }
  bool wasCached() const override { return cached; }
  llvm::StringRef getRemarks() const override { return remarks; }

  llvm::Error call(llvm::ArrayRef<ExecutableArgument> arguments,
                   std::vector<ScalarArgument> &results,
                   void *stream) const override;

private:
  CallSignature callSignature;
  ExecutableSignature signature;
  std::string remarks;
  ExecutableOptions options;
  std::unique_ptr<LoadedObject> object;
  bool cached;
};

} // namespace

llvm::Error LoadedExecutable::call(llvm::ArrayRef<ExecutableArgument> arguments,
                                   std::vector<ScalarArgument> &results,
                                   void *stream) const {
  if (stream && options.target == "cpu")
    return llvm::createStringError(
        "expected no stream for a program for the CPU, got one");
  CallWords packed;
  if (auto error = packArguments(callSignature, arguments, packed))
    return error;
  llvm::SmallVector<void *, 8> pointers;
  for (size_t start : packed.starts)
    pointers.push_back(packed.words.data() + start);
  llvm::SmallVector<char, 64> bytes(
      std::max<uint64_t>(callSignature.resultSize, 1));
  // The default stream of CUDA and of HIP: what the caller gave to it before is
  // done first.
  if (!stream && options.deviceArrays && options.target != "emulator")
    stream = reinterpret_cast<void *>(1);
  if (auto error = object->call(pointers.data(), bytes.data(), stream))
    return error;
  unpackResults(callSignature, bytes.data(), results);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// What a tool would have printed, without remarks before the error. One error
/// without a place needs no heading.
static llvm::Error makeError(std::string &messages) {
  llvm::StringRef text = llvm::StringRef(messages).rtrim();
  size_t error = text.find("error: ");
  if (error != llvm::StringRef::npos)
    text = text.drop_front(text.rfind('\n', error) + 1);
  text.consume_front("error: ");
  return llvm::createStringError(text);
}

llvm::Expected<ExecutableImage>
stencil::compileImage(std::unique_ptr<llvm::MemoryBuffer> buffer,
                      const ExecutableOptions &options, ReadOptions read) {
  std::string messages;
  llvm::raw_string_ostream os(messages);
  Source source(os);
  if (failed(source.load(std::move(buffer))))
    return makeError(messages);
  auto described = source.describeEntry(options.entry);
  if (failed(described))
    return makeError(messages);
  auto &[entry, signature] = *described;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.isPointer()) {
      emitError(parameter.location)
          << parameter.str() << ": expected a field, a memref or a number, got "
          << parameter.type;
      return makeError(messages);
    }
  if (failed(completeOptions(entry, signature, options, read)))
    return makeError(messages);
  auto object = compileObject(entry, read.compile);
  if (failed(object))
    return makeError(messages);
  ExecutableImage image;
  image.signature = makeCallSignature(entry, signature, *object, options);
  image.object = std::move(*object);
  image.remarks = std::move(messages);
  return std::move(image);
}

static llvm::Expected<std::shared_ptr<const Executable>>
compileBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
              const ExecutableOptions &options) {
  auto read = readOptions(options);
  if (!read)
    return read.takeError();
  auto makeKey = [&] {
    CacheRequest request{options.cacheDirectory, buffer->getBuffer(),
                         buffer->getBufferIdentifier(), options.entry};
    LateOptions late{options.extents, options.tuningDatabase};
    return makeCacheKey(request, read->compile, /*externals=*/{}, &late);
  };
  auto obtained = obtainImage(options.cacheDirectory, makeKey, [&] {
    return compileImage(std::move(buffer), options, std::move(*read));
  });
  if (!obtained)
    return obtained.takeError();
  auto object = LoadedObject::load(obtained->image.object);
  if (!object)
    return object.takeError();
  obtained->image.remarks += obtained->cacheRemarks;
  return std::make_shared<LoadedExecutable>(std::move(obtained->image), options,
                                            std::move(*object),
                                            obtained->wasCached);
}

llvm::Expected<std::shared_ptr<const Executable>>
Executable::compile(llvm::StringRef program, llvm::StringRef name,
                    const ExecutableOptions &options) {
  return compileBuffer(llvm::MemoryBuffer::getMemBufferCopy(program, name),
                       options);
}

llvm::Expected<std::shared_ptr<const Executable>>
Executable::compileFile(llvm::StringRef path,
                        const ExecutableOptions &options) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return llvm::createStringError(message);
  return compileBuffer(std::move(buffer), options);
}

llvm::Expected<std::shared_ptr<const Executable>>
Executable::compile(ModuleOp module, const ExecutableOptions &options) {
  // The context is the caller's, who may use it meanwhile.
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  if (failed(writeBytecodeToFile(module, os)))
    return llvm::createStringError("the module cannot be written as bytecode");
  return compile(bytecode, module.getName().value_or("module"), options);
}
