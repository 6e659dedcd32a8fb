//===- ArgumentSpec.cpp - Arguments as a command line gives them ----------===//

#include "StencilDialect/Execution/ArgumentSpec.h"
#include "StencilDialect/IR/Bounds.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace llvm;
using namespace stencil;

/// Splits `I=REST`.
static Expected<std::pair<unsigned, StringRef>> splitIndex(StringRef text,
                                                           StringRef form) {
  auto [index, rest] = text.split('=');
  unsigned number = 0;
  if (index.size() == text.size() || index.getAsInteger(10, number) ||
      rest.empty())
    return createStringError("expected " + form + ", got '" + text + "'");
  return std::make_pair(number, rest);
}

/// Whether this is meant as a number: 3, -1.5e3, .5, 0x10, inf, nan.
static bool looksLikeNumber(StringRef text) {
  text.consume_front("-") || text.consume_front("+");
  return !text.empty() &&
         (isDigit(text[0]) ||
          (text[0] == '.' && text.size() > 1 && isDigit(text[1])) ||
          text.equals_insensitive("inf") || text.equals_insensitive("nan"));
}

Expected<ArgumentSpec> stencil::parseArgumentSpec(StringRef text) {
  auto split =
      splitIndex(text, "I=FILE.npy, I=random:SEED, I=wild:SEED, I=zeros, "
                       "I=bytes:N or I=NUMBER");
  if (!split)
    return split.takeError();
  auto [index, value] = *split;

  ArgumentSpec spec;
  spec.index = index;
  spec.text = value.str();
  if (value == "zeros") {
    spec.kind = ArgumentSpec::Zeros;
  } else if (value == "random" || value.starts_with("random:")) {
    spec.kind = ArgumentSpec::Random;
    auto [seed, range] = value.substr(strlen("random:")).split(':');
    if (seed.getAsInteger(10, spec.seed))
      return createStringError("expected a seed from 0 to 2^64 - 1 in "
                               "random:SEED, got '" +
                               value + "'");
    spec.hasRange = value.count(':') > 1;
    auto [low, high] = range.split(':');
    if (spec.hasRange &&
        (low.getAsDouble(spec.low) || high.getAsDouble(spec.high) ||
         !std::isfinite(spec.high - spec.low) || !(spec.low < spec.high)))
      return createStringError("expected finite LOW < HIGH in "
                               "random:SEED:LOW:HIGH, got '" +
                               value + "'");
  } else if (value == "wild" || value.starts_with("wild:")) {
    spec.kind = ArgumentSpec::Wild;
    auto [seed, variant] = value.substr(strlen("wild:")).split(':');
    spec.finite = variant == "finite";
    if (seed.getAsInteger(10, spec.seed) ||
        value.count(':') != (spec.finite ? 2 : 1))
      return createStringError("expected wild:SEED or wild:SEED:finite with a "
                               "seed from 0 to 2^64 - 1, got '" +
                               value + "'");
  } else if (value.starts_with("bytes:")) {
    spec.kind = ArgumentSpec::Memory;
    constexpr uint64_t most = uint64_t(1) << 30;
    if (value.substr(strlen("bytes:")).getAsInteger(10, spec.bytes) ||
        spec.bytes < 1 || spec.bytes > most)
      return createStringError("expected from 1 to 2^30 bytes in bytes:N, got "
                               "'" +
                               value + "'");
  } else if (looksLikeNumber(value) && !value.ends_with(".npy")) {
    spec.kind = ArgumentSpec::Number;
  } else {
    spec.kind = ArgumentSpec::File;
  }
  return spec;
}

Expected<OutputSpec> stencil::parseOutputSpec(StringRef text) {
  auto split = splitIndex(text, "I=FILE");
  if (!split)
    return split.takeError();
  return OutputSpec{split->first, split->second.str()};
}

Expected<SmallVector<int64_t>> stencil::parseExtents(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, text.contains(',') ? ',' : 'x');
  SmallVector<int64_t> extents;
  for (StringRef part : parts) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 1 || extent > kMaxBound)
      return createStringError("expected extents from 1 to 2^40 such as "
                               "512,256, got '" +
                               text + "'");
    extents.push_back(extent);
  }
  return extents;
}
