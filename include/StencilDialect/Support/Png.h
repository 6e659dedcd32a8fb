//===- Png.h - Pictures of fields -------------------------------*- C++ -*-===//
//
// Draws a plane of a field as an 8-bit RGB picture with a scale beside it, and
// writes it as PNG through libpng.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_PNG_H
#define STENCILDIALECT_SUPPORT_PNG_H

#include "StencilDialect/Support/Element.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace stencil {

using Rgb = std::array<uint8_t, 3>;

/// Sequential is matplotlib's viridis; Diverging is Moreland's cool-warm map
/// with zero in the middle. Auto takes Diverging for data that has both signs
/// in earnest (the smaller side at least a tenth of the larger), such as waves.
enum class ColorMap { Auto, Sequential, Diverging };

/// The colour at `position` in [0, 1] (clamped); `map` is not Auto.
Rgb getMapColor(ColorMap map, double position);

/// The colour of NaN and of infinities: magenta, which is in neither map.
inline constexpr Rgb kNonFiniteColor = {255, 0, 255};

/// A plane of a field: row r, column c is element r*rowStride + c*columnStride
/// of the array at `data`. Strides are in elements.
struct PlaneView {
  const void *data;
  ElementKind kind;
  int64_t rows;
  int64_t columns;
  int64_t rowStride;
  int64_t columnStride;
};

struct PictureOptions {
  ColorMap map = ColorMap::Auto;
  /// Values at the ends of the scale; without them the smallest and largest
  /// finite value, or plus and minus the largest magnitude if diverging.
  std::optional<double> low, high;
};

/// Row-major, row 0 on top, as the pixels of a screen.
struct Picture {
  int64_t width = 0;
  int64_t height = 0;
  std::vector<Rgb> pixels;
  /// The part that shows the field is [0, fieldWidth) x [0, fieldHeight).
  int64_t fieldWidth = 0;
  int64_t fieldHeight = 0;

  const Rgb &at(int64_t row, int64_t column) const {
    return pixels[row * width + column];
  }
};

/// Draws the plane, row 0 on top, with a scale on its right. Small planes are
/// enlarged by a whole factor to some 400 pixels (a thin side to at least 48),
/// large ones are reduced by a whole factor to at most 2048 by averaging boxes;
/// a box with a non-finite value in it shows as non-finite. Fails on an empty
/// plane and on a scale that is not finite or has low > high.
llvm::Expected<Picture> drawPlane(const PlaneView &plane,
                                  const PictureOptions &options = {});

/// Writes a picture, atomically (see AtomicFile.h).
llvm::Error writePng(llvm::StringRef path, const Picture &picture);

/// drawPlane and writePng in one.
llvm::Error writePng(llvm::StringRef path, const PlaneView &plane,
                     const PictureOptions &options = {});

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_PNG_H
