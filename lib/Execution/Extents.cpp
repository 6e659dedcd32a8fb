//===- Extents.cpp - How large the arrays of a run are --------------------===//

#include "StencilDialect/Execution/Extents.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/Support/Npy.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

std::optional<
    std::pair<llvm::SmallVector<int64_t, 4>, llvm::SmallVector<int64_t, 4>>>
Extents::resolve(BoundsAttr bounds) const {
  llvm::SmallVector<int64_t, 4> lower, upper;
  for (auto [axis, lb, ub] : llvm::enumerate(bounds.getLb(), bounds.getUb())) {
    bool symbolic = isSymbolic(lb) || isSymbolic(ub);
    if (symbolic && (axis >= interior.size() || !interior[axis]))
      return std::nullopt;
    int64_t extent = symbolic ? *interior[axis] : 0;
    lower.push_back(stencil::resolve(lb, extent));
    upper.push_back(stencil::resolve(ub, extent));
  }
  return std::make_pair(lower, upper);
}

std::optional<int64_t> Extents::countPoints(BoundsAttr bounds) const {
  auto box = resolve(bounds);
  if (!box)
    return std::nullopt;
  int64_t points = 1;
  for (auto [lb, ub] : llvm::zip_equal(box->first, box->second))
    if (llvm::MulOverflow(points, std::max<int64_t>(ub - lb, 0), points))
      return std::nullopt;
  return points;
}

namespace {

/// Collects what is known about the extents, and checks each new fact against
/// those before.
class Resolver {
public:
  Resolver(const Signature &signature) : signature(signature) {
    extents.interior.resize(signature.getRank());
    extents.shapes.resize(signature.parameters.size());
    sources.resize(signature.getRank());
  }

  LogicalResult addInterior(ArrayRef<int64_t> interior, Location location);
  LogicalResult addShape(const Parameter &parameter, const GivenShape &given);
  LogicalResult completeShape(const Parameter &parameter);

  Extents extents;

private:
  LogicalResult bindAxis(const Parameter &parameter, const FieldBox &box,
                         unsigned axis, int64_t size);
  LogicalResult checkBox(const Parameter &parameter, const FieldBox &box,
                         StringRef source);

  const Signature &signature;
  /// Who gave the interior extent of an axis.
  SmallVector<std::string> sources;
};

} // namespace

static bool dependsOnAxis(const FieldBox &box, unsigned axis) {
  BoundsAttr bounds = box.type.getBounds();
  return isSymbolic(bounds.getUb()[axis]) && !isSymbolic(bounds.getLb()[axis]);
}

LogicalResult Resolver::addInterior(ArrayRef<int64_t> interior,
                                    Location location) {
  bool open = false;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field)
      open |= llvm::any_of(parameter.field->shape, ShapedType::isDynamic);
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field)
      for (const FieldBox &box : parameter.field->boxes)
        open |= box.type.getBounds().isSymbolic();
  if (!open)
    return emitError(location) << "--extents: expected none, as the types of "
                                  "the program give every extent";
  if (interior.size() != signature.getRank())
    return emitError(location)
           << "--extents: expected one for each of " << signature.getRank()
           << " axes, got " << interior.size();
  for (auto [axis, extent] : llvm::enumerate(interior)) {
    extents.interior[axis] = extent;
    sources[axis] = "--extents";
  }
  return success();
}

LogicalResult Resolver::bindAxis(const Parameter &parameter,
                                 const FieldBox &box, unsigned axis,
                                 int64_t size) {
  BoundsAttr bounds = box.type.getBounds();
  int64_t halo = symbolicOffset(bounds.getUb()[axis]) - bounds.getLb()[axis];
  int64_t extent = size - halo;
  if (extent < 1)
    return emitError(box.location)
           << parameter.str() << ": expected an extent of more than " << halo
           << " on axis " << axis << " for " << box.type << ", got " << size;
  std::optional<int64_t> &known = extents.interior[axis];
  if (known && *known != extent)
    return emitError(box.location)
           << parameter.str() << ": expected " << *known + halo << " points ("
           << *known << " without the halo, as in " << sources[axis]
           << ") on axis " << axis << " for " << box.type << ", got " << size;
  if (!known) {
    known = extent;
    sources[axis] = parameter.str();
  }
  return success();
}

LogicalResult Resolver::checkBox(const Parameter &parameter,
                                 const FieldBox &box, StringRef source) {
  ArrayRef<int64_t> shape = extents.shapes[parameter.index];
  auto resolved = extents.resolve(box.type.getBounds());
  if (!resolved)
    return success();
  SmallVector<int64_t> expected;
  for (auto [lb, ub] : llvm::zip_equal(resolved->first, resolved->second))
    expected.push_back(ub - lb);
  if (ArrayRef<int64_t>(expected) == shape)
    return success();
  InFlightDiagnostic diagnostic = emitError(box.location);
  diagnostic << parameter.str() << ": expected extents "
             << formatShape(expected) << " for " << box.type << ", got "
             << formatShape(shape);
  if (!source.empty())
    diagnostic << " in '" << source << "'";
  return diagnostic;
}

LogicalResult Resolver::addShape(const Parameter &parameter,
                                 const GivenShape &given) {
  const FieldParameter &field = *parameter.field;
  auto matches = [](int64_t expected, int64_t got) {
    return ShapedType::isDynamic(expected) || expected == got;
  };
  if (field.shape.size() != given.shape.size())
    return emitError(parameter.location)
           << parameter.str() << ": expected " << field.shape.size()
           << (field.shape.size() == 1 ? " axis" : " axes") << " for "
           << parameter.type << ", got shape " << formatShape(given.shape)
           << " in '" << given.source << "'";
  if (!llvm::all_of_zip(field.shape, given.shape, matches) &&
      llvm::none_of(field.shape, ShapedType::isDynamic))
    return emitError(parameter.location)
           << parameter.str() << ": expected extents "
           << formatShape(field.shape) << " for " << parameter.type << ", got "
           << formatShape(given.shape) << " in '" << given.source << "'";
  extents.shapes[parameter.index] = given.shape;
  for (const FieldBox &box : field.boxes) {
    for (unsigned axis = 0; axis < given.shape.size(); ++axis)
      if (dependsOnAxis(box, axis) &&
          failed(bindAxis(parameter, box, axis, given.shape[axis])))
        return failure();
    if (failed(checkBox(parameter, box, given.source)))
      return failure();
  }
  // What is left are memrefs with some static extents.
  for (auto [axis, expected] : llvm::enumerate(field.shape))
    if (!matches(expected, given.shape[axis]))
      return emitError(parameter.location)
             << parameter.str() << ": expected an extent of " << expected
             << " on axis " << axis << " for " << parameter.type << ", got "
             << given.shape[axis] << " in '" << given.source << "'";
  return success();
}

LogicalResult Resolver::completeShape(const Parameter &parameter) {
  const FieldParameter &field = *parameter.field;
  auto &shape = extents.shapes[parameter.index];
  if (!shape.empty())
    return success();
  shape = field.shape;
  for (const FieldBox &box : field.boxes) {
    auto resolved = extents.resolve(box.type.getBounds());
    if (!resolved)
      continue;
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      if (ShapedType::isDynamic(shape[axis]))
        shape[axis] = resolved->second[axis] - resolved->first[axis];
  }
  // Without a box there is no halo.
  if (field.boxes.empty())
    for (auto [size, extent] : llvm::zip(shape, extents.interior))
      if (ShapedType::isDynamic(size) && extent)
        size = *extent;
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return emitError(parameter.location)
           << parameter.str() << ": the extents of " << parameter.type
           << " are not known: expected a .npy file or --extents";
  for (const FieldBox &box : field.boxes)
    if (failed(checkBox(parameter, box, "")))
      return failure();
  return success();
}

FailureOr<Extents>
stencil::resolveExtents(const Signature &signature,
                        ArrayRef<std::optional<GivenShape>> given,
                        ArrayRef<int64_t> interior, Location location) {
  Resolver resolver(signature);
  if (!interior.empty() && failed(resolver.addInterior(interior, location)))
    return failure();
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field && given[parameter.index])
      if (failed(resolver.addShape(parameter, *given[parameter.index])))
        return failure();
  // Shapes that the types give can bind extents, too.
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field && !given[parameter.index] &&
        llvm::none_of(parameter.field->shape, ShapedType::isDynamic))
      if (failed(resolver.addShape(
              parameter, {parameter.field->shape, "the type of the argument"})))
        return failure();
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field && failed(resolver.completeShape(parameter)))
      return failure();
  return std::move(resolver.extents);
}
