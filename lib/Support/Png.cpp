//===- Png.cpp - Pictures of fields ---------------------------------------===//

#include "StencilDialect/Support/Png.h"

#include "FileError.h"

#include "StencilDialect/Support/AtomicFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <png.h>

using namespace stencil;

static constexpr Rgb kBackground = {255, 255, 255};
static constexpr Rgb kInk = {0, 0, 0};

/// Sides of a picture in pixels: what small planes are enlarged to, what large
/// ones are reduced to, and what the thin side of a strip has at least.
static constexpr int64_t kSmallSide = 400;
static constexpr int64_t kLargeSide = 2048;
static constexpr int64_t kThinSide = 48;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Five columns of seven rows, the highest of five bits on the left.
struct Glyph {
  char character;
  uint8_t rows[7];
};
} // namespace

static constexpr int kGlyphWidth = 5;
static constexpr int kGlyphHeight = 7;

/// What numbers consist of, "nan" and "inf" included.
static constexpr Glyph kFont[] = {
    {'0', {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}},
    {'1', {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'2', {0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f}},
    {'3', {0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e}},
    {'4', {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}},
    {'5', {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e}},
    {'6', {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}},
    {'7', {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08}},
    {'8', {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}},
    {'9', {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c}},
    {'-', {0x00, 0x00, 0x00, 0x1f, 0x00, 0x00, 0x00}},
    {'+', {0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00}},
    {'e', {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e}},
    {'n', {0x00, 0x00, 0x16, 0x19, 0x11, 0x11, 0x11}},
    {'a', {0x00, 0x00, 0x0e, 0x01, 0x0f, 0x11, 0x0f}},
    {'i', {0x04, 0x00, 0x0c, 0x04, 0x04, 0x04, 0x0e}},
    {'f', {0x06, 0x09, 0x08, 0x1c, 0x08, 0x08, 0x08}},
    {'/', {0x00, 0x01, 0x02, 0x04, 0x08, 0x10, 0x00}},
};

static void fill(Picture &picture, int64_t row, int64_t column, int64_t height,
                 int64_t width, Rgb color) {
  for (int64_t r = row; r < row + height; ++r)
    std::fill_n(picture.pixels.begin() + r * picture.width + column, width,
                color);
}

static int64_t getTextWidth(llvm::StringRef text, int64_t scale) {
  return int64_t(text.size()) * (kGlyphWidth + 1) * scale;
}

/// Writes with the upper left corner at (row, column).
static void drawText(Picture &picture, int64_t row, int64_t column,
                     llvm::StringRef text, int64_t scale) {
  for (char character : text) {
    for (const Glyph &glyph : kFont) {
      if (glyph.character != character)
        continue;
      for (int r = 0; r < kGlyphHeight; ++r)
        for (int c = 0; c < kGlyphWidth; ++c)
          if (glyph.rows[r] >> (kGlyphWidth - 1 - c) & 1)
            fill(picture, row + r * scale, column + c * scale, scale, scale,
                 kInk);
    }
    column += (kGlyphWidth + 1) * scale;
  }
}

//===----------------------------------------------------------------------===//
// The scale
//===----------------------------------------------------------------------===//

namespace {
/// Which colour a value has.
struct Scale {
  ColorMap map;
  double low, high;

  /// Halves, as the difference of two doubles may overflow.
  double getHalfRange() const { return high / 2 - low / 2; }

  double getPosition(double value) const {
    double range = getHalfRange();
    return range > 0 ? (value / 2 - low / 2) / range : 0.5;
  }

  Rgb getColor(double value) const {
    if (!std::isfinite(value))
      return kNonFiniteColor;
    return getMapColor(map, getPosition(value));
  }
};

struct Label {
  double value;
  std::string text;
};
} // namespace

/// The ends of the scale and round numbers between them, downwards.
static llvm::SmallVector<Label> getLabels(const Scale &scale) {
  // A step of 1, 2 or 5 times a power of ten that gives some five numbers.
  double rough = scale.getHalfRange() / 2.5;
  double step = 0;
  if (rough > std::numeric_limits<double>::min()) {
    double power = std::pow(10, std::floor(std::log10(rough)));
    double factor = rough / power;
    step = power * (factor < 1.5   ? 1
                    : factor < 3.5 ? 2
                    : factor < 7.5 ? 5
                                   : 10);
  }
  // Between neighbours among the doubles there are no round numbers.
  double largest = std::max(std::fabs(scale.low), std::fabs(scale.high));
  if (largest / step > 0x1p50)
    step = 0;
  // As many digits as tell two labels apart.
  int digits = scale.low == scale.high ? 6 : 17;
  if (step > 0)
    digits = int(std::ceil(std::log10(largest / step))) + 2;
  digits = std::clamp(digits, 4, 17);
  auto makeLabel = [&](double value) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
    return Label{value, text};
  };

  llvm::SmallVector<Label> labels;
  labels.push_back(makeLabel(scale.high));
  if (scale.low == scale.high)
    return labels;
  if (step > 0)
    for (auto k = int64_t(std::floor(scale.high / step));
         double(k) * step >= scale.low; --k)
      labels.push_back(makeLabel(double(k) * step));
  labels.push_back(makeLabel(scale.low));
  return labels;
}

/// Measures in pixels of what is drawn beside the field.
namespace {
struct BarLayout {
  int64_t textScale;
  int64_t height;
  int64_t width;
  int64_t margin;
  int64_t labelWidth;

  int64_t getTotalWidth() const { return 3 * margin + width + labelWidth; }
  int64_t getTextHeight() const { return kGlyphHeight * textScale; }
  /// Room above and below the bar for half a label.
  int64_t getEndMargin() const { return getTextHeight() / 2 + textScale; }
};
} // namespace

static constexpr llvm::StringRef kNonFiniteText = "nan/inf";

static BarLayout layOutBar(int64_t fieldHeight, llvm::ArrayRef<Label> labels,
                           bool hasNonFinite) {
  BarLayout layout;
  layout.textScale = std::clamp<int64_t>(fieldHeight / 400, 2, 4);
  layout.margin = 6 * layout.textScale;
  layout.width = 12 * layout.textScale;
  layout.height = std::max<int64_t>(fieldHeight, 200);
  layout.labelWidth =
      hasNonFinite ? getTextWidth(kNonFiniteText, layout.textScale) : 0;
  for (const Label &label : labels)
    layout.labelWidth =
        std::max(layout.labelWidth, getTextWidth(label.text, layout.textScale));
  return layout;
}

static void drawBar(Picture &picture, const Scale &scale,
                    const BarLayout &layout, llvm::ArrayRef<Label> labels,
                    bool hasNonFinite) {
  int64_t left = picture.fieldWidth + layout.margin;
  int64_t textLeft = left + layout.width + layout.margin;
  int64_t textHeight = layout.getTextHeight();
  int64_t top = layout.getEndMargin();
  int64_t bottom = layout.height - layout.getEndMargin();
  // The swatch of what has no number, below the bar.
  if (hasNonFinite) {
    int64_t row = bottom - textHeight / 2;
    fill(picture, row, left, textHeight, layout.width, kNonFiniteColor);
    drawText(picture, row, textLeft, kNonFiniteText, layout.textScale);
    bottom -= textHeight + layout.margin;
  }
  if (labels.empty())
    return;

  double last = double(bottom - 1 - top);
  for (int64_t row = top; row < bottom; ++row) {
    double position =
        scale.low == scale.high ? 0.5 : 1 - double(row - top) / last;
    fill(picture, row, left, 1, layout.width, getMapColor(scale.map, position));
  }
  // The ends first, then what does not overlap.
  llvm::SmallVector<int64_t> taken;
  auto drawLabel = [&](const Label &label) {
    double position = scale.getPosition(label.value);
    int64_t tick = top + std::llround((1 - position) * last);
    for (int64_t other : taken)
      if (std::abs(other - tick) < textHeight + layout.textScale)
        return;
    taken.push_back(tick);
    fill(picture, tick, left + layout.width, layout.textScale / 2,
         layout.margin / 2, kInk);
    drawText(picture, tick - textHeight / 2, textLeft, label.text,
             layout.textScale);
  };
  drawLabel(labels.front());
  drawLabel(labels.back());
  for (const Label &label : labels)
    drawLabel(label);
}

//===----------------------------------------------------------------------===//
// The field
//===----------------------------------------------------------------------===//

namespace {
/// A plane after its reduction to the size of a screen.
struct Samples {
  int64_t rows, columns;
  /// NaN where any value of the box is not finite.
  std::vector<double> values;
  bool hasFinite = false, hasNonFinite = false;
  /// Of all values of the plane, not of the averages.
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
};
} // namespace

static Samples sample(const PlaneView &plane) {
  int64_t box =
      llvm::divideCeil(std::max(plane.rows, plane.columns), kLargeSide);
  Samples samples;
  samples.rows = llvm::divideCeil(plane.rows, box);
  samples.columns = llvm::divideCeil(plane.columns, box);
  samples.values.resize(samples.rows * samples.columns);
  for (int64_t row = 0; row < samples.rows; ++row) {
    int64_t rowEnd = std::min((row + 1) * box, plane.rows);
    for (int64_t column = 0; column < samples.columns; ++column) {
      int64_t columnEnd = std::min((column + 1) * box, plane.columns);
      double count =
          double(rowEnd - row * box) * double(columnEnd - column * box);
      double mean = 0;
      bool isFinite = true;
      for (int64_t r = row * box; r < rowEnd; ++r) {
        for (int64_t c = column * box; c < columnEnd; ++c) {
          double value =
              loadElement(plane.kind, plane.data,
                          r * plane.rowStride + c * plane.columnStride);
          if (!std::isfinite(value)) {
            isFinite = false;
            continue;
          }
          samples.hasFinite = true;
          samples.min = std::min(samples.min, value);
          samples.max = std::max(samples.max, value);
          // Divided at once, as a sum may overflow.
          mean += value / count;
        }
      }
      samples.hasNonFinite |= !isFinite;
      samples.values[row * samples.columns + column] =
          isFinite ? mean : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return samples;
}

static Scale chooseScale(const Samples &samples,
                         const PictureOptions &options) {
  double min = samples.hasFinite ? samples.min : 0;
  double max = samples.hasFinite ? samples.max : 0;
  Scale scale{options.map, min, max};
  if (scale.map == ColorMap::Auto) {
    bool isSigned =
        min < 0 && max > 0 && std::min(-min, max) >= 0.1 * std::max(-min, max);
    scale.map = isSigned ? ColorMap::Diverging : ColorMap::Sequential;
  }
  if (scale.map == ColorMap::Diverging) {
    scale.high = std::max(std::fabs(min), std::fabs(max));
    scale.low = -scale.high;
  }
  // A given end beyond the data takes the other one along.
  if (options.low) {
    scale.low = *options.low;
    scale.high = std::max(scale.high, scale.low);
  }
  if (options.high) {
    scale.high = *options.high;
    scale.low = std::min(scale.low, scale.high);
  }
  return scale;
}

llvm::Expected<Picture> stencil::drawPlane(const PlaneView &plane,
                                           const PictureOptions &options) {
  auto fail = [](const llvm::Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  };
  if (plane.rows < 1 || plane.columns < 1)
    return fail("expected a plane with at least one point to draw, got " +
                llvm::Twine(plane.rows) + "x" + llvm::Twine(plane.columns));
  for (const std::optional<double> &end : {options.low, options.high})
    if (end && !std::isfinite(*end))
      return fail("expected finite ends of the scale");
  if (options.low && options.high && *options.low > *options.high)
    return fail("expected the low end of the scale below the high one");

  Samples samples = sample(plane);
  Scale scale = chooseScale(samples, options);
  llvm::SmallVector<Label> labels;
  if (samples.hasFinite)
    labels = getLabels(scale);

  int64_t zoom =
      llvm::divideCeil(kSmallSide, std::max(samples.rows, samples.columns));
  int64_t rowZoom =
      std::max<int64_t>(zoom, llvm::divideCeil(kThinSide, samples.rows));
  int64_t columnZoom =
      std::max<int64_t>(zoom, llvm::divideCeil(kThinSide, samples.columns));

  Picture picture;
  picture.fieldWidth = samples.columns * columnZoom;
  picture.fieldHeight = samples.rows * rowZoom;
  BarLayout layout =
      layOutBar(picture.fieldHeight, labels, samples.hasNonFinite);
  picture.width = picture.fieldWidth + layout.getTotalWidth();
  picture.height = layout.height;
  picture.pixels.assign(picture.width * picture.height, kBackground);
  for (int64_t row = 0; row < samples.rows; ++row)
    for (int64_t column = 0; column < samples.columns; ++column)
      fill(picture, row * rowZoom, column * columnZoom, rowZoom, columnZoom,
           scale.getColor(samples.values[row * samples.columns + column]));
  drawBar(picture, scale, layout, labels, samples.hasNonFinite);
  return picture;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Error stencil::writePng(llvm::StringRef path, const Picture &picture) {
  static_assert(sizeof(Rgb) == 3, "pixels are passed on as bytes");
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  image.format = PNG_FORMAT_RGB;
  // In memory first, as the file is to be written at once or not at all.
  std::vector<char> bytes(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(&image, bytes.data(), &size,
                                 /*convert_to_8_bit=*/0, picture.pixels.data(),
                                 /*row_stride=*/0, /*colormap=*/nullptr))
    return makeFileError(path, llvm::Twine("cannot encode the picture: ") +
                                   image.message);
  return writeFileAtomically(path, [&](llvm::raw_ostream &os) {
    os.write(bytes.data(), size);
    return llvm::Error::success();
  });
}

llvm::Error stencil::writePng(llvm::StringRef path, const PlaneView &plane,
                              const PictureOptions &options) {
  llvm::Expected<Picture> picture = drawPlane(plane, options);
  if (!picture)
    return makeFileError(path, llvm::toString(picture.takeError()));
  return writePng(path, *picture);
}
