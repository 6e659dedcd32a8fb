//===- PngTest.cpp - Pictures of fields -----------------------------------===//

#include "StencilDialect/Support/Png.h"

#include "TestSupport.h"

#include <cmath>
#include <limits>
#include <png.h>

using namespace stencil;
using llvm::Expected;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

static PlaneView view(const std::vector<double> &values, int64_t rows,
                      int64_t columns) {
  EXPECT_EQ(int64_t(values.size()), rows * columns);
  return {values.data(), ElementKind::F64, rows, columns, columns, 1};
}

static Picture draw(const std::vector<double> &values, int64_t rows,
                    int64_t columns, const PictureOptions &options = {}) {
  Expected<Picture> picture = drawPlane(view(values, rows, columns), options);
  EXPECT_TRUE(bool(picture));
  if (!picture) {
    ADD_FAILURE() << llvm::toString(picture.takeError());
    return {};
  }
  EXPECT_EQ(int64_t(picture->pixels.size()), picture->width * picture->height);
  EXPECT_GT(picture->width, picture->fieldWidth);
  EXPECT_GE(picture->height, picture->fieldHeight);
  return *picture;
}

static Rgb viridis(double position) {
  return getMapColor(ColorMap::Sequential, position);
}
static Rgb coolWarm(double position) {
  return getMapColor(ColorMap::Diverging, position);
}

/// Whether a colour occurs right of the field.
static bool occursInBar(const Picture &picture, Rgb color) {
  for (int64_t row = 0; row < picture.height; ++row)
    for (int64_t column = picture.fieldWidth; column < picture.width; ++column)
      if (picture.at(row, column) == color)
        return true;
  return false;
}

static void expectNear(Rgb got, Rgb expected, int tolerance) {
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(got[i], expected[i], tolerance);
}

TEST(ColorMap, ViridisIsMatplotlibs) {
  // Entries of matplotlib's table of 256 that are not among ours.
  expectNear(viridis(0), {68, 1, 84}, 0);
  expectNear(viridis(7 / 255.0), {70, 11, 94}, 1);
  expectNear(viridis(100 / 255.0), {42, 118, 142}, 1);
  expectNear(viridis(128 / 255.0), {33, 145, 140}, 1);
  expectNear(viridis(192 / 255.0), {94, 201, 98}, 1);
  expectNear(viridis(1), {253, 231, 37}, 0);
}

TEST(ColorMap, CoolWarmIsMorelands) {
  // His table of 33 colours, as in matplotlib's "coolwarm".
  auto table = [](double red, double green, double blue) {
    auto byte = [](double c) { return uint8_t(std::lround(255 * c)); };
    return Rgb{byte(red), byte(green), byte(blue)};
  };
  expectNear(coolWarm(0), {59, 76, 192}, 0);
  expectNear(coolWarm(0.125), table(0.38301334, 0.50941904, 0.917387822), 1);
  expectNear(coolWarm(0.25), table(0.552953156, 0.688929332, 0.995375608), 1);
  expectNear(coolWarm(0.5), table(0.865395197, 0.86541021, 0.865395561), 1);
  expectNear(coolWarm(0.75), table(0.958003065, 0.602842431, 0.481775914), 1);
  expectNear(coolWarm(1), {180, 4, 38}, 1);
}

TEST(ColorMap, PositionsAreClamped) {
  for (ColorMap map : {ColorMap::Sequential, ColorMap::Diverging}) {
    EXPECT_EQ(getMapColor(map, -kInfinity), getMapColor(map, 0));
    EXPECT_EQ(getMapColor(map, kInfinity), getMapColor(map, 1));
    EXPECT_EQ(getMapColor(map, kNaN), getMapColor(map, 0));
  }
}

TEST(Picture, SmallPlanesAreEnlarged) {
  std::vector<double> values = {0, 1, 2, 3, 4, 5};
  Picture picture = draw(values, 2, 3);
  EXPECT_EQ(picture.fieldWidth, 3 * 134);
  EXPECT_EQ(picture.fieldHeight, 2 * 134);
  for (int64_t row = 0; row < picture.fieldHeight; ++row)
    for (int64_t column = 0; column < picture.fieldWidth; ++column)
      ASSERT_EQ(picture.at(row, column),
                viridis(values[row / 134 * 3 + column / 134] / 5));
}

TEST(Picture, LargePlanesAreAveraged) {
  // 4097 columns: boxes of 3, the last one has 2 columns.
  std::vector<double> values(4097, 0.0);
  values[1] = 3;
  values[4095] = 3;
  Picture picture = draw(values, 1, 4097);
  EXPECT_EQ(picture.fieldWidth, 1366);
  EXPECT_EQ(picture.fieldHeight, 48);
  // The scale is that of the values, not of the averages.
  EXPECT_EQ(picture.at(0, 0), viridis(1.0 / 3));
  EXPECT_EQ(picture.at(47, 1), viridis(0));
  EXPECT_EQ(picture.at(0, 1365), viridis(0.5));
}

TEST(Picture, ThinPlanesBecomeStrips) {
  Picture picture = draw(std::vector<double>(1000, 1.0), 1000, 1);
  EXPECT_EQ(picture.fieldHeight, 1000);
  EXPECT_EQ(picture.fieldWidth, 48);
}

TEST(Picture, StridesSelectAPlane) {
  // The plane of a 2x3x4 array where the middle index is 1, transposed.
  std::vector<float> values(24);
  for (int i = 0; i < 24; ++i)
    values[i] = float(i);
  PlaneView plane = {values.data() + 4, ElementKind::F32, 4, 2, 1, 12};
  PictureOptions options;
  options.low = 0;
  options.high = 23;
  Expected<Picture> picture = drawPlane(plane, options);
  ASSERT_TRUE(bool(picture)) << message(std::move(picture));
  EXPECT_EQ(picture->fieldWidth, 200);
  EXPECT_EQ(picture->at(0, 0), viridis(4 / 23.0));
  EXPECT_EQ(picture->at(100, 0), viridis(5 / 23.0));
  EXPECT_EQ(picture->at(399, 199), viridis(19 / 23.0));
}

TEST(Picture, AutoTellsWavesFromTheRest) {
  // Zero is in the middle, and the larger magnitude at an end.
  Picture wave = draw({-1, 0, 0.5, 0.25}, 2, 2);
  EXPECT_EQ(wave.at(0, 0), coolWarm(0));
  EXPECT_EQ(wave.at(0, 399), coolWarm(0.5));
  EXPECT_EQ(wave.at(399, 0), coolWarm(0.75));
  // Rounding errors around zero are no wave.
  Picture heat = draw({-1e-17, 0, 0.5, 1}, 2, 2);
  EXPECT_EQ(heat.at(399, 399), viridis(1));
  EXPECT_EQ(heat.at(0, 0), viridis(0));
}

TEST(Picture, ScaleCanBeGiven) {
  PictureOptions options;
  options.low = -1;
  options.high = 3;
  Picture picture = draw({0, 1, 2, 9}, 2, 2, options);
  EXPECT_EQ(picture.at(0, 0), viridis(0.25));
  EXPECT_EQ(picture.at(399, 399), viridis(1));
  // An end beyond the data.
  options = {};
  options.low = 20;
  picture = draw({0, 1, 2, 9}, 2, 2, options);
  EXPECT_EQ(picture.at(0, 0), viridis(0.5));
}

TEST(Picture, ConstantFieldsHaveOneColour) {
  for (double value : {0.0, -3.5, 1e308, 5e-324}) {
    Picture picture = draw(std::vector<double>(4, value), 2, 2);
    EXPECT_EQ(picture.at(0, 0), viridis(0.5)) << value;
    EXPECT_EQ(picture.at(399, 399), viridis(0.5)) << value;
  }
}

TEST(Picture, RangesBeyondDoubleDoNotOverflow) {
  double max = std::numeric_limits<double>::max();
  Picture picture = draw({-max, 0, max / 2, max}, 2, 2);
  EXPECT_EQ(picture.at(0, 0), coolWarm(0));
  EXPECT_EQ(picture.at(0, 399), coolWarm(0.5));
  EXPECT_EQ(picture.at(399, 399), coolWarm(1));
  // Nor does the smallest range vanish into a division by zero.
  draw({0, 5e-324, 0, 5e-324}, 2, 2);
  draw({1, std::nextafter(1.0, 2.0), 1, 1}, 2, 2);
  draw({1e308, std::nextafter(1e308, 0.0), 1e308, 1e308}, 2, 2);
}

TEST(Picture, NonFiniteValuesStandOut) {
  for (double value : {kNaN, -kNaN, kInfinity, -kInfinity}) {
    Picture picture = draw({0, value, 1, 2}, 2, 2);
    EXPECT_EQ(picture.at(0, 399), kNonFiniteColor);
    // The scale is that of the rest, and has a swatch for it.
    EXPECT_EQ(picture.at(399, 0), viridis(0.5));
    EXPECT_TRUE(occursInBar(picture, kNonFiniteColor));
  }
  EXPECT_FALSE(occursInBar(draw({0, 1, 1, 2}, 2, 2), kNonFiniteColor));
  // All of it: no scale at all.
  Picture picture = draw({kNaN, kNaN}, 1, 2);
  EXPECT_EQ(picture.at(0, 0), kNonFiniteColor);
  EXPECT_FALSE(occursInBar(picture, viridis(0)));
  // One in a box is not averaged away.
  std::vector<double> values(4096, 1.0);
  values[77] = kNaN;
  EXPECT_EQ(draw(values, 1, 4096).at(0, 38), kNonFiniteColor);
}

TEST(Picture, HasAScale) {
  Picture picture = draw({0, 1, 1, 2}, 2, 2);
  for (double position : {0.0, 1.0})
    EXPECT_TRUE(occursInBar(picture, viridis(position)));
  EXPECT_TRUE(occursInBar(picture, {0, 0, 0}));
  // Numbers are beside both ends, and whole.
  auto hasInk = [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t column = 0; column < picture.width; ++column)
        if (picture.at(row, column) == Rgb{0, 0, 0})
          return true;
    return false;
  };
  EXPECT_FALSE(hasInk(0, 2));
  EXPECT_TRUE(hasInk(2, 16));
  EXPECT_TRUE(hasInk(picture.height - 16, picture.height - 2));
  EXPECT_FALSE(hasInk(picture.height - 2, picture.height));
}

TEST(Picture, DrawsEveryKind) {
  for (ElementKind kind : kAllElementKinds) {
    uint64_t data[4] = {};
    storeElement(kind, data, 1, 1);
    Expected<Picture> picture = drawPlane({data, kind, 2, 2, 2, 1});
    ASSERT_TRUE(bool(picture)) << message(std::move(picture));
    EXPECT_EQ(picture->at(0, 0), viridis(0)) << getElementName(kind).str();
    EXPECT_EQ(picture->at(0, 399), viridis(1)) << getElementName(kind).str();
  }
}

TEST(Picture, RefusesWhatCannotBeDrawn) {
  std::vector<double> none;
  EXPECT_EQ(message(drawPlane(view(none, 0, 5))),
            "expected a plane with at least one point to draw, got 0x5");
  std::vector<double> one = {1};
  PictureOptions options;
  options.low = kNaN;
  EXPECT_EQ(message(drawPlane(view(one, 1, 1), options)),
            "expected finite ends of the scale");
  options.low = 2;
  options.high = 1;
  EXPECT_EQ(message(drawPlane(view(one, 1, 1), options)),
            "expected the low end of the scale below the high one");
}

TEST(Png, WritesThePicture) {
  TemporaryDirectory directory;
  std::string path = directory / "x.png";
  std::vector<double> values = {0, 1, 2, kNaN, 4, 5};
  EXPECT_EQ(message(writePng(path, view(values, 2, 3))), "success");
  EXPECT_EQ(directory.list(), std::vector<std::string>{"x.png"});

  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&image, path.c_str()))
      << image.message;
  EXPECT_EQ(image.format, unsigned(PNG_FORMAT_RGB));
  image.format = PNG_FORMAT_RGB;
  std::vector<Rgb> pixels(size_t(image.width) * image.height);
  ASSERT_TRUE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr))
      << image.message;
  Picture expected = draw(values, 2, 3);
  EXPECT_EQ(image.width, expected.width);
  EXPECT_EQ(image.height, expected.height);
  EXPECT_EQ(pixels, expected.pixels);
}

TEST(Png, ErrorsNameTheFile) {
  TemporaryDirectory directory;
  std::string path = directory / "no/x.png";
  std::vector<double> values = {1};
  EXPECT_EQ(message(writePng(path, view(values, 1, 1))),
            "'" + path + "': no such file or directory");
  EXPECT_EQ(message(writePng("x.png", view({}, 0, 0))),
            "'x.png': expected a plane with at least one point to draw, got "
            "0x0");
  EXPECT_NE(message(writePng("x.png", Picture())), "success");
  EXPECT_TRUE(directory.list().empty());
}
