//===- ExecutableImage.cpp - Compiled programs as bytes -------------------===//

#include "ExecutableImage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace stencil;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kHeading = "stencil-executable 1\n";

static std::string hash(llvm::StringRef bytes) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes)),
                     true);
}

//===----------------------------------------------------------------------===//
// The description
//===----------------------------------------------------------------------===//

namespace stencil {

using Name = llvm::StringLiteral;

/// Calls `visit(name, member)` for what is in a file, in either direction.
template <typename Box, typename Visit>
static void visitBox(Box &box, Visit v) {
  v(Name("type"), box.type);
  v(Name("lb"), box.lb);
  v(Name("ub"), box.ub);
}
template <typename Parameter, typename Visit>
static void visitParameter(Parameter &parameter, Visit v) {
  auto &description = parameter.description;
  v(Name("name"), description.name);
  v(Name("array"), description.isArray);
  v(Name("element"), description.element);
  v(Name("shape"), description.shape);
  v(Name("read"), description.isRead);
  v(Name("written"), description.isWritten);
  v(Name("type"), parameter.type);
  v(Name("boxes"), parameter.boxes);
}
template <typename Result, typename Visit>
static void visitResult(Result &result, Visit v) {
  v(Name("kind"), result.kind);
  v(Name("offset"), result.offset);
}
template <typename Kernel, typename Visit>
static void visitKernel(Kernel &kernel, Visit v) {
  v(Name("kernel"), kernel.kernel);
  v(Name("registers"), kernel.registers);
  v(Name("scalar_registers"), kernel.scalarRegisters);
  v(Name("spill_stores"), kernel.spillStores);
  v(Name("spill_loads"), kernel.spillLoads);
  v(Name("spilled_registers"), kernel.spilledRegisters);
  v(Name("stack_bytes"), kernel.stackBytes);
  v(Name("shared_bytes"), kernel.sharedBytes);
}
template <typename Image, typename Visit>
static void visitImage(Image &image, Visit v) {
  v(Name("name"), image.signature.name);
  v(Name("parameters"), image.signature.parameters);
  v(Name("results"), image.signature.results);
  v(Name("interior"), image.signature.interior);
  v(Name("rank"), image.signature.rank);
  v(Name("device_arrays"), image.signature.deviceArrays);
  v(Name("result_size"), image.object.resultSize);
  v(Name("result_offsets"), image.object.resultOffsets);
  v(Name("constructors"), image.object.constructors);
  v(Name("destructors"), image.object.destructors);
  v(Name("threads"), image.object.threads);
  v(Name("kernels"), image.object.kernels);
  v(Name("remarks"), image.remarks);
}

// JSON's customisation points, found by their argument.

static json::Value toJSON(ElementKind kind) { return getElementName(kind); }
static bool fromJSON(const json::Value &value, ElementKind &kind,
                     json::Path path) {
  auto name = value.getAsString();
  auto parsed = name ? parseElementKind(*name) : std::nullopt;
  if (!parsed) {
    path.report("expected an element type");
    return false;
  }
  kind = *parsed;
  return true;
}

/// Adds members to an object.
struct Writer {
  json::Object &object;
  template <typename T> void operator()(llvm::StringRef name, const T &member) {
    object[name] = json::Value(member);
  }
};

/// Reads members, all of which must be there.
struct Reader {
  json::ObjectMapper &map;
  bool &good;
  template <typename T> void operator()(Name name, T &member) {
    good = good && map.map(name, member);
  }
};

// NOLINTBEGIN(bugprone-macro-parentheses): a type.
#define STENCIL_JSON(Type, visit)                                              \
  static json::Value toJSON(const Type &from) {                                \
    json::Object object;                                                       \
    visit(from, Writer{object});                                               \
    return object;                                                             \
  }                                                                            \
  static bool fromJSON(const json::Value &value, Type &to, json::Path path) {  \
    json::ObjectMapper map(value, path);                                       \
    bool good(map);                                                            \
    visit(to, Reader{map, good});                                              \
    return good;                                                               \
  }
// NOLINTEND(bugprone-macro-parentheses)

STENCIL_JSON(CallBox, visitBox)
STENCIL_JSON(CallParameter, visitParameter)
STENCIL_JSON(CallResult, visitResult)
STENCIL_JSON(KernelResources, visitKernel)
STENCIL_JSON(ExecutableImage, visitImage)
#undef STENCIL_JSON

} // namespace stencil

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void stencil::writeImage(const ExecutableImage &image, llvm::StringRef key,
                         llvm::raw_ostream &os) {
  std::string description;
  llvm::raw_string_ostream(description) << toJSON(image);
  std::string body = (key + "\n" + llvm::Twine(description.size()) + "\n" +
                      description + image.object.object)
                         .str();
  os << kHeading << hash(body) << "\n" << body;
}

llvm::Expected<ExecutableImage> stencil::readImage(llvm::StringRef bytes,
                                                   llvm::StringRef key) {
  auto fail = [](const char *what) { return llvm::createStringError(what); };
  if (!bytes.consume_front(kHeading))
    return fail("it is of another version, or no file of a cache");
  auto [sum, body] = bytes.split('\n');
  if (sum != hash(body))
    return fail("its checksum is wrong");
  auto [itsKey, rest] = body.split('\n');
  if (itsKey != key)
    return fail("it is that of another program");
  auto [sizeText, content] = rest.split('\n');
  size_t size = 0;
  if (sizeText.getAsInteger(10, size) || size > content.size())
    return fail("its description is cut off");
  auto parsed = json::parse<ExecutableImage>(content.take_front(size));
  if (!parsed)
    return parsed.takeError();
  parsed->object.object = content.drop_front(size).str();
  parsed->signature.resultSize = parsed->object.resultSize;
  return std::move(*parsed);
}
