//===- ErrorRules.cpp - How errors go through operations ------------------===//
//
// docs/verification.md has the rules in words.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

double stencil::interp::getDistance(double a, double b) {
  if (a == b || (a != a && b != b))
    return 0;
  double distance = std::fabs(a - b);
  return distance == distance ? distance : kUnknown;
}

/// The root of the sum of squares.
static double addSquares(double a, double b) {
  double sum = a * a + b * b;
  if (sum > 0x1p-960 && sum < 0x1p960)
    return std::sqrt(sum);
  return a == 0 || b == 0 ? a + b : std::hypot(a, b);
}

void stencil::interp::toDouble(double *target, const void *source, Kind kind,
                               int64_t n) {
  StringRef cast = isFloat(kind)
                       ? kind >= Kind::F64 ? "arith.truncf" : "arith.extf"
                   : kind == Kind::I1 ? "arith.uitofp"
                                      : "arith.sitofp";
  getCastKernel(cast, kind, Kind::F64)(target, source, nullptr, nullptr, n);
}

/// The lanes of a register as double.
static const double *widenLanes(Frame &frame, Kind kind, unsigned reg,
                                unsigned slot) {
  if (kind == Kind::F64)
    return frame.get<double>(reg);
  double *buffer = frame.getScratch(slot);
  toDouble(buffer, frame.registers[reg], kind, frame.n);
  return buffer;
}

struct PropagateError::Lanes {
  int64_t n;
  const double *z;
  std::array<const double *, 3> x;
  std::array<Shadow, 3> in;
  Shadow out;

  double getError(unsigned operand, int64_t i) const {
    return in[operand].linear[i] + in[operand].quadratic[i];
  }
  /// Of an operand of a sum or product.
  double getMagnitude(unsigned operand, int64_t i) const {
    return std::max(in[operand].magnitude[i], std::fabs(x[operand][i]));
  }
  /// `coherent` and `random` as a bound, unless they are known better.
  void set(int64_t i, double linear, double quadratic = 0,
           double magnitude = 0) {
    // NaN: of zero times anything.
    out.linear[i] = linear >= 0 ? markBlind(linear, false) : kUnknown;
    out.quadratic[i] = quadratic >= 0 ? quadratic : kUnknown;
    // No copy of something that is known to be blind or not.
    if (linear > 0 && quadratic == 0)
      out.quadratic[i] = kLeastError;
    out.magnitude[i] = magnitude;
    out.coherent[i] = out.random[i] = out.linear[i] + out.quadratic[i];
  }
  /// The examples: what comes of the operands' and a rounding by `unit`.
  void setExamples(int64_t i, double coherent, double random, double unit,
                   uint64_t salt) {
    out.coherent[i] = coherent + (std::signbit(z[i]) ? -unit : unit);
    out.random[i] =
        random +
        ((mixSalt(salt + static_cast<uint64_t>(i)) & 1) != 0 ? unit : -unit);
  }
  /// As it is, with its mark.
  void copy(int64_t i, const Shadow &from) {
    out.linear[i] = from.linear[i];
    out.quadratic[i] = from.quadratic[i];
    out.magnitude[i] = from.magnitude[i];
    out.coherent[i] = from.coherent[i];
    out.random[i] = from.random[i];
  }
};

/// By how much the result is rounded otherwise.
double PropagateError::getUnit(double z, double magnitude, bool agrees) const {
  if (agrees && !isSource)
    return 0;
  return rounding.epsilon *
             (reassociates ? std::max(magnitude, std::fabs(z)) : std::fabs(z)) +
         rounding.tiny;
}

/// By how much the result differs where factors are rounded.
double PropagateError::getFactorUnit(const Lanes &lanes, int64_t i) const {
  double unit = 0;
  if (productRounding > 0)
    unit = productRounding *
           (rule == ErrorRule::Divide
                ? std::fabs(lanes.z[i])
                : lanes.getMagnitude(0, i) * lanes.getMagnitude(1, i));
  for (unsigned operand = 0; operand < numOperands; ++operand)
    unit += operandRounding[operand] * lanes.getMagnitude(operand, i);
  return unit;
}

bool PropagateError::run(Frame &frame) const {
  Lanes lanes;
  lanes.n = frame.n;
  lanes.out = frame.shadows[result];
  for (unsigned i = 0; i < numOperands; ++i)
    lanes.in[i] = frame.shadows[args[i]];
  if (rule == ErrorRule::Discrete) {
    runDiscrete(lanes);
    return true;
  }
  if (rule == ErrorRule::Pass) {
    const double *x =
        isMagnitude ? widenLanes(frame, kinds[0], args[0], 1) : nullptr;
    for (int64_t i = 0; i < lanes.n; ++i) {
      lanes.copy(i, lanes.in[0]);
      if (isNegation || (isMagnitude && x[i] < 0)) {
        lanes.out.coherent[i] = -lanes.out.coherent[i];
        lanes.out.random[i] = -lanes.out.random[i];
      }
    }
    return true;
  }
  lanes.z = widenLanes(frame, kind, result, 0);
  for (unsigned i = 0; i < numOperands; ++i)
    lanes.x[i] = widenLanes(frame, kinds[i], args[i], i + 1);
  switch (rule) {
  case ErrorRule::Add:
  case ErrorRule::Multiply:
  case ErrorRule::Divide:
  case ErrorRule::Fma:
    runArithmetic(lanes, frame.salt + id);
    break;
  case ErrorRule::Root:
  case ErrorRule::Step:
  case ErrorRule::Function:
  case ErrorRule::Wave:
  case ErrorRule::Tangent:
  case ErrorRule::Power:
  case ErrorRule::Narrow:
  case ErrorRule::FromInteger:
  case ErrorRule::ToInteger:
    runUnary(lanes, frame);
    break;
  case ErrorRule::Binary:
  case ErrorRule::Angle:
    runBinary(lanes, frame);
    break;
  default:
    runChoice(lanes, frame);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

void PropagateError::runDiscrete(Lanes &lanes) const {
  // A test of a number asks whether it is finite.
  bool isTest = kind == Kind::I1 && isFloat(kinds[0]);
  for (int64_t i = 0; i < lanes.n; ++i) {
    double worst = 0;
    for (unsigned operand = 0; operand < numOperands; ++operand)
      worst = std::max(worst, lanes.getError(operand, i));
    bool isKnown = isTest ? worst < kUnknown : worst == 0;
    lanes.set(i, isKnown ? 0 : kind == Kind::I1 ? 1 : kUnknown);
  }
}

void PropagateError::runArithmetic(Lanes &lanes, uint64_t salt) const {
  const double factor = analysis.factor;
  bool isSum = rule == ErrorRule::Add;
  for (int64_t i = 0; i < lanes.n; ++i) {
    double z = lanes.z[i], x = std::fabs(lanes.x[0][i]),
           y = std::fabs(lanes.x[1][i]);
    double ex = lanes.in[0].linear[i], ey = lanes.in[1].linear[i];
    double rx = lanes.in[0].quadratic[i], ry = lanes.in[1].quadratic[i];
    double tx = ex + rx, ty = ey + ry, linear, quadratic, magnitude = 0;
    bool agrees = tx + ty == 0;
    if (isSum) {
      linear = ex + ey;
      quadratic = addSquares(rx, ry);
      magnitude = lanes.getMagnitude(0, i) + lanes.getMagnitude(1, i);
    } else if (rule == ErrorRule::Divide) {
      double room = y - factor * ty;
      if (ty > 0 && !(room > 0)) {
        lanes.set(i, kUnknown);
        continue;
      }
      linear = agrees ? 0 : (ex + std::fabs(z) * ey) / room;
      quadratic = agrees ? 0 : addSquares(rx, std::fabs(z) * ry) / room;
      magnitude = lanes.getMagnitude(0, i) / y;
    } else {
      linear = agrees ? 0 : x * ey + y * ex + factor * tx * ty;
      quadratic = agrees ? 0 : addSquares(x * ry, y * rx);
      magnitude = lanes.getMagnitude(0, i) * lanes.getMagnitude(1, i);
      if (rule == ErrorRule::Fma) {
        linear += lanes.in[2].linear[i];
        quadratic = addSquares(quadratic, lanes.in[2].quadratic[i]);
        agrees &= lanes.getError(2, i) == 0;
        magnitude += lanes.getMagnitude(2, i);
      }
    }
    if (std::isfinite(z)) {
      double unit = getUnit(z, magnitude, agrees) + getFactorUnit(lanes, i);
      lanes.set(i, linear, addSquares(quadratic, unit), magnitude);
      double slopes[3] = {1, isSubtraction ? -1.0 : 1.0, 1};
      if (rule == ErrorRule::Divide) {
        slopes[0] = 1 / lanes.x[1][i];
        slopes[1] = -z / lanes.x[1][i];
      } else if (!isSum) {
        slopes[0] = lanes.x[1][i];
        slopes[1] = lanes.x[0][i];
      }
      double coherent = 0, random = 0;
      for (unsigned operand = 0; operand < numOperands; ++operand) {
        coherent += slopes[operand] * lanes.in[operand].coherent[i];
        random += slopes[operand] * lanes.in[operand].random[i];
      }
      lanes.setExamples(i, coherent, random, unit, salt);
      continue;
    }
    // Of what is not finite, it is the kind that counts.
    bool isNew = true, isKnown = true;
    for (unsigned operand = 0; operand < numOperands; ++operand) {
      isNew &= std::isfinite(lanes.x[operand][i]);
      double error = lanes.getError(operand, i);
      isKnown &= error < kUnknown &&
                 (error == 0 || isSum ||
                  !(std::fabs(lanes.x[operand][i]) <= factor * error));
    }
    bool isQuotient = rule == ErrorRule::Divide && y == 0;
    if (isNew)
      isKnown = agrees && (!isSource || isQuotient);
    lanes.set(i, isKnown ? 0 : kUnknown);
  }
}

void PropagateError::runUnary(Lanes &lanes, Frame &frame) const {
  const double factor = analysis.factor;
  double *ends[2] = {frame.getScratch(4), frame.getScratch(5)};
  double *values[3] = {frame.getScratch(6), frame.getScratch(7),
                       frame.getScratch(8)};
  bool agreeAll = true;
  for (int64_t i = 0; i < lanes.n; ++i) {
    double error = lanes.getError(0, i), x = lanes.x[0][i];
    agreeAll &= error == 0;
    // At least a step of double, or nothing would be seen.
    double reach =
        error > 0 ? std::max(factor * error, std::fabs(x) * 0x1p-52) : 0;
    ends[0][i] = x - reach;
    ends[1][i] = x + reach;
    if (rule == ErrorRule::Root && x >= 0)
      ends[0][i] = std::max(ends[0][i], 0.0);
  }
  if (function && !agreeAll) {
    const void *exponent =
        rule == ErrorRule::Power ? frame.registers[args[1]] : nullptr;
    function(values[0], ends[0], exponent, nullptr, lanes.n);
    function(values[1], ends[1], exponent, nullptr, lanes.n);
    function(values[2], lanes.x[0], exponent, nullptr, lanes.n);
  }
  for (int64_t i = 0; i < lanes.n; ++i) {
    double error = lanes.getError(0, i), z = lanes.z[i];
    bool agrees = error == 0;
    double linear = 0, quadratic = 0, magnitude = 0;
    if (rule == ErrorRule::Power && lanes.getError(1, i) > 0)
      linear = kUnknown;
    else if (agrees)
      linear = 0;
    else if (!std::isfinite(lanes.x[0][i]))
      linear = error < kUnknown ? 0 : kUnknown;
    else if (rule == ErrorRule::Wave)
      linear = std::min(error, 2 / factor);
    else if (rule == ErrorRule::Tangent && !(factor * error < 0.5))
      linear = kUnknown;
    else if (rule == ErrorRule::Narrow || rule == ErrorRule::FromInteger) {
      linear = lanes.in[0].linear[i];
      quadratic = lanes.in[0].quadratic[i];
      magnitude = lanes.in[0].magnitude[i];
    } else if (rule == ErrorRule::ToInteger) {
      auto toWhole = [](double value) {
        return std::clamp(std::trunc(value), -0x1p64, 0x1p64);
      };
      double whole = toWhole(lanes.x[0][i]);
      linear = std::max(std::fabs(toWhole(ends[0][i]) - whole),
                        std::fabs(toWhole(ends[1][i]) - whole)) /
               factor;
    } else {
      linear = std::max(getDistance(values[0][i], values[2][i]),
                        getDistance(values[1][i], values[2][i])) /
               factor;
    }
    if ((rule == ErrorRule::Step || rule == ErrorRule::ToInteger) && linear > 0)
      count(frame, i);
    bool rounds = rule != ErrorRule::Step && rule != ErrorRule::ToInteger;
    if (std::isfinite(z)) {
      if (rounds)
        quadratic = addSquares(quadratic, getUnit(z, magnitude, agrees));
    } else {
      quadratic = 0;
      // The same at both ends, or it may be overflow.
      bool isSame = function && linear == 0;
      if (std::isfinite(lanes.x[0][i]) && !isSame &&
          !(agrees && !analysis.roundsAlways()))
        linear = kUnknown;
    }
    lanes.set(i, linear, quadratic, magnitude);
    if (!rounds || !std::isfinite(z) || !(linear < kUnknown))
      continue;
    double slope = 0;
    if (rule == ErrorRule::Narrow || rule == ErrorRule::FromInteger || agrees)
      slope = 1;
    else if (function && rule != ErrorRule::Tangent)
      slope = (values[1][i] - values[0][i]) / (ends[1][i] - ends[0][i]);
    else
      continue;
    lanes.setExamples(i, slope * lanes.in[0].coherent[i],
                      slope * lanes.in[0].random[i],
                      getUnit(z, magnitude, agrees), frame.salt + id);
  }
}

void PropagateError::runBinary(Lanes &lanes, Frame &frame) const {
  (void)frame;
  const double factor = analysis.factor, pi = 3.141592653589793;
  for (int64_t i = 0; i < lanes.n; ++i) {
    double tx = lanes.getError(0, i), ty = lanes.getError(1, i);
    double x = lanes.x[0][i], y = lanes.x[1][i], z = lanes.z[i];
    bool agrees = tx + ty == 0;
    if (agrees || !std::isfinite(x) || !std::isfinite(y)) {
      bool isKnown = tx + ty < kUnknown && (agrees || !std::isfinite(z));
      lanes.set(i, isKnown ? 0 : kUnknown,
                std::isfinite(z) ? getUnit(z, 0, agrees) : 0);
      continue;
    }
    double value = 0, widest = 0;
    function(&value, &x, &y, nullptr, 1);
    double reachX = std::max(factor * tx, tx > 0 ? std::fabs(x) * 0x1p-52 : 0);
    double reachY = std::max(factor * ty, ty > 0 ? std::fabs(y) * 0x1p-52 : 0);
    for (int corner = 0; corner < 4; ++corner) {
      double a = x + ((corner & 1) ? reachX : -reachX),
             b = y + ((corner & 2) ? reachY : -reachY);
      double at = 0;
      function(&at, &a, &b, nullptr, 1);
      widest = std::max(widest, getDistance(at, value));
    }
    // atan2(x, y): x is the ordinate.
    if (rule == ErrorRule::Angle && std::fabs(x) <= reachX && y <= reachY)
      widest = 2 * pi;
    lanes.set(i, widest / factor, std::isfinite(z) ? getUnit(z, 0, false) : 0);
    if (!std::isfinite(z))
      lanes.set(i, kUnknown);
  }
}

/// What chooses between values, and integers.
void PropagateError::runChoice(Lanes &lanes, Frame &frame) const {
  const double factor = analysis.factor;
  for (int64_t i = 0; i < lanes.n; ++i) {
    double tx = lanes.getError(0, i), ty = lanes.getError(1, i);
    double x = lanes.x[0][i], y = lanes.x[1][i], z = lanes.z[i];
    // Closer than their bounds.
    bool isOpen = tx + ty > 0 && x == x && y == y &&
                  !(getDistance(x, y) > factor * (tx + ty)) &&
                  (tx + ty == kUnknown || std::isfinite(x) || std::isfinite(y));
    switch (rule) {
    case ErrorRule::CompareFloats:
    case ErrorRule::CompareIntegers:
      isOpen |= tx + ty == kUnknown;
      lanes.set(i, isOpen ? 1 : 0);
      if (isOpen)
        count(frame, i);
      break;
    case ErrorRule::Extreme: {
      unsigned chosen = x == z ? 0 : 1;
      if (isOpen || tx == kUnknown || ty == kUnknown)
        lanes.set(i, std::max(lanes.in[0].linear[i], lanes.in[1].linear[i]),
                  std::max(lanes.in[0].quadratic[i], lanes.in[1].quadratic[i]),
                  std::max(lanes.in[0].magnitude[i], lanes.in[1].magnitude[i]));
      else if (z != z)
        lanes.set(i, 0);
      else
        lanes.copy(i, lanes.in[chosen]);
      break;
    }
    case ErrorRule::Select: {
      const Shadow &a = lanes.in[1], &b = lanes.in[2];
      if (tx == 0) {
        lanes.copy(i, x != 0 ? a : b);
        break;
      }
      lanes.set(i,
                getDistance(lanes.x[1][i], lanes.x[2][i]) / factor +
                    std::max(a.linear[i], b.linear[i]),
                std::max(a.quadratic[i], b.quadratic[i]),
                std::max(a.magnitude[i], b.magnitude[i]));
      break;
    }
    case ErrorRule::And:
    case ErrorRule::Or: {
      // Of one bit, one operand can decide.
      double decides = rule == ErrorRule::And ? 0 : 1;
      bool isDecided = kind == Kind::I1 &&
                       ((tx == 0 && x == decides) || (ty == 0 && y == decides));
      bool isKnown = isDecided || tx + ty == 0;
      lanes.set(i, isKnown ? 0 : kind == Kind::I1 ? 1 : kUnknown);
      break;
    }
    case ErrorRule::Remainder: {
      double turns = std::fabs(std::trunc(x / y)), error = tx + turns * ty;
      double edge = std::min(std::fabs(z), std::fabs(y) - std::fabs(z));
      if (tx + ty == 0)
        error = 0;
      else if (!std::isfinite(z))
        error = kUnknown;
      else if (!(factor * error < edge))
        error += std::fabs(y) / factor;
      lanes.set(i, error);
      break;
    }
    case ErrorRule::IntegerSum:
      lanes.set(i, kind == Kind::I1 ? std::min(tx + ty, 1.0) : tx + ty);
      break;
    case ErrorRule::IntegerProduct:
      lanes.set(i, tx + ty == 0 ? 0
                                : std::fabs(x) * ty + std::fabs(y) * tx +
                                      factor * tx * ty);
      break;
    default:
      lanes.set(i, kUnknown);
    }
  }
}

bool ClearError::run(Frame &frame) const {
  const Shadow &shadow = frame.shadows[result];
  for (double *numbers : {shadow.linear, shadow.quadratic, shadow.magnitude,
                          shadow.coherent, shadow.random})
    std::fill_n(numbers, frame.n, 0.0);
  return true;
}
