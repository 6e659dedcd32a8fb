//===- ColorMap.cpp - Perceptual colour maps ------------------------------===//

#include "StencilDialect/Support/Png.h"

#include <algorithm>
#include <cmath>

using namespace stencil;

/// Every fifth of the 256 colours of viridis (S. van der Walt, N. Smith, E.
/// Firing; matplotlib, CC0). Interpolation is off by one step of 255 at most.
static constexpr Rgb kViridis[] = {
    {68, 1, 84},    {70, 8, 92},    {71, 16, 99},   {72, 23, 105},
    {72, 29, 111},  {72, 36, 117},  {71, 42, 122},  {70, 48, 126},
    {69, 55, 129},  {67, 61, 132},  {65, 66, 135},  {63, 72, 137},
    {61, 78, 138},  {58, 83, 139},  {56, 89, 140},  {53, 94, 141},
    {51, 99, 141},  {49, 104, 142}, {46, 109, 142}, {44, 113, 142},
    {42, 118, 142}, {41, 123, 142}, {39, 128, 142}, {37, 132, 142},
    {35, 137, 142}, {33, 142, 141}, {32, 146, 140}, {31, 151, 139},
    {30, 156, 137}, {31, 161, 136}, {33, 165, 133}, {36, 170, 131},
    {40, 174, 128}, {46, 179, 124}, {53, 183, 121}, {61, 188, 116},
    {70, 192, 111}, {80, 196, 106}, {90, 200, 100}, {101, 203, 94},
    {112, 207, 87}, {124, 210, 80}, {137, 213, 72}, {149, 216, 64},
    {162, 218, 55}, {176, 221, 47}, {189, 223, 38}, {202, 225, 31},
    {216, 226, 25}, {229, 228, 25}, {241, 229, 29}, {253, 231, 37}};

//===----------------------------------------------------------------------===//
// The cool-warm map: K. Moreland, Diverging Color Maps for Scientific
// Visualization, ISVC 2009. Colours are interpolated in "Msh", the polar form
// of CIE L*a*b*, by way of white.
//===----------------------------------------------------------------------===//

namespace {
struct Msh {
  double magnitude, saturation, hue;
};
} // namespace

/// The D65 white point.
static constexpr double kWhite[] = {0.9505, 1.0, 1.089};

/// Linear sRGB to CIE XYZ (IEC 61966-2-1), and its inverse.
static constexpr double kToXyz[3][3] = {{0.4124, 0.3576, 0.1805},
                                        {0.2126, 0.7152, 0.0722},
                                        {0.0193, 0.1192, 0.9505}};
static constexpr double kFromXyz[3][3] = {{3.2406, -1.5372, -0.4986},
                                          {-0.9689, 1.8758, 0.0415},
                                          {0.0557, -0.2040, 1.0570}};

static Msh toMsh(Rgb color) {
  double linear[3], f[3];
  for (int i = 0; i < 3; ++i) {
    double c = color[i] / 255.0;
    linear[i] = c > 0.04045 ? std::pow((c + 0.055) / 1.055, 2.4) : c / 12.92;
  }
  for (int i = 0; i < 3; ++i) {
    double xyz = 0;
    for (int j = 0; j < 3; ++j)
      xyz += kToXyz[i][j] * linear[j];
    double t = xyz / kWhite[i];
    f[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
  }
  double l = 116 * f[1] - 16, a = 500 * (f[0] - f[1]), b = 200 * (f[1] - f[2]);
  double m = std::sqrt(l * l + a * a + b * b);
  return {m, std::acos(l / m), std::atan2(b, a)};
}

static Rgb toRgb(Msh msh) {
  double l = msh.magnitude * std::cos(msh.saturation);
  double chroma = msh.magnitude * std::sin(msh.saturation);
  double f[3];
  f[1] = (l + 16) / 116;
  f[0] = f[1] + chroma * std::cos(msh.hue) / 500;
  f[2] = f[1] - chroma * std::sin(msh.hue) / 200;
  double xyz[3];
  for (int i = 0; i < 3; ++i) {
    double cube = f[i] * f[i] * f[i];
    xyz[i] = kWhite[i] * (cube > 0.008856 ? cube : (f[i] - 16.0 / 116) / 7.787);
  }
  Rgb color;
  for (int i = 0; i < 3; ++i) {
    double c = 0;
    for (int j = 0; j < 3; ++j)
      c += kFromXyz[i][j] * xyz[j];
    c = c > 0.0031308 ? 1.055 * std::pow(c, 1 / 2.4) - 0.055 : 12.92 * c;
    color[i] = uint8_t(std::lround(255 * std::clamp(c, 0.0, 1.0)));
  }
  return color;
}

/// The hue at which a saturated colour fades into white of magnitude `white`
/// (Moreland, AdjustHue).
static double adjustHue(Msh color, double white) {
  if (color.magnitude >= white)
    return color.hue;
  double spin = color.saturation *
                std::sqrt(white * white - color.magnitude * color.magnitude) /
                (color.magnitude * std::sin(color.saturation));
  return color.hue > -llvm::numbers::pi / 3 ? color.hue + spin
                                            : color.hue - spin;
}

static Rgb computeCoolWarm(double position) {
  // Moreland's blue and red.
  Msh cool = toMsh({59, 76, 192}), warm = toMsh({180, 4, 38});
  double white = std::max({cool.magnitude, warm.magnitude, 88.0});
  Msh end = position < 0.5 ? cool : warm;
  double t = std::fabs(2 * position - 1);
  double hue = adjustHue(end, white);
  return toRgb({white + t * (end.magnitude - white), t * end.saturation,
                hue + t * (end.hue - hue)});
}

Rgb stencil::getMapColor(ColorMap map, double position) {
  // A NaN becomes 0.
  position = position > 0 ? std::min(position, 1.0) : 0;
  if (map == ColorMap::Diverging) {
    // Odd, so that the middle has a colour of its own.
    constexpr int last = 512;
    static const auto table = [] {
      std::array<Rgb, last + 1> colors;
      for (int i = 0; i <= last; ++i)
        colors[i] = computeCoolWarm(double(i) / last);
      return colors;
    }();
    return table[std::lround(position * last)];
  }
  constexpr int last = std::size(kViridis) - 1;
  int index = std::min(int(position * last), last - 1);
  double t = position * last - index;
  Rgb color;
  for (int i = 0; i < 3; ++i)
    color[i] = uint8_t(
        std::lround(kViridis[index][i] * (1 - t) + kViridis[index + 1][i] * t));
  return color;
}
