//===- Nesting.cpp - How deep a text nests --------------------------------===//

#include "StencilDialect/Support/Nesting.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace stencil;
using llvm::StringRef;

namespace {

/// Reads a text of MLIR token by token, as far as brackets go.
class NestingScanner {
public:
  NestingScanner(StringRef text, unsigned limit, StringRef splitMarker)
      : text(text), limit(limit), splitMarker(splitMarker) {}

  std::optional<size_t> scan();

private:
  char at(size_t index) const { return index < text.size() ? text[index] : 0; }
  void skipString();
  void skipComment();
  void readAlias();
  void readWord();
  void countOperator();
  void close(char opening);
  void reach(size_t levels);

  StringRef text;
  unsigned limit;
  StringRef splitMarker;
  size_t position = 0;
  /// Brackets that are open.
  llvm::SmallVector<char> open;
  /// Signs of an affine expression, each of the next one.
  size_t signs = 0;
  /// Operators of an affine expression: of a sum, each is a level.
  size_t operators = 0;
  bool tooDeep = false;
  /// Levels of what aliases stand for; the one that is being defined.
  llvm::StringMap<size_t> aliases;
  StringRef defined;
  /// Whether something of it has been read: it ends with its line.
  bool hasBegun = false;
};

} // namespace

void NestingScanner::skipString() {
  for (++position; position < text.size() && text[position] != '"'; ++position)
    if (text[position] == '\\')
      ++position;
  ++position;
}

void NestingScanner::skipComment() {
  if (!splitMarker.empty() && text.substr(position).starts_with(splitMarker)) {
    open.clear();
    aliases.clear();
    defined = {};
  }
  position = std::min(text.find('\n', position), text.size());
}

/// `#name` or `!name`: a use, or a definition if nothing is open and `=` comes
/// next.
void NestingScanner::readAlias() {
  size_t start = position++;
  while (llvm::isAlnum(at(position)) ||
         StringRef("_.$-").contains(at(position)))
    ++position;
  StringRef name = text.slice(start, position);
  if (name.size() == 1)
    return;
  if (open.empty()) {
    size_t next = text.find_first_not_of(" \t\r\n", position);
    if (at(next) == '=' && at(next + 1) != '=') {
      defined = name;
      aliases[name] = 0;
      hasBegun = false;
      position = next + 1;
      return;
    }
  }
  if (auto found = aliases.find(name); found != aliases.end())
    reach(open.size() + found->second);
}

void NestingScanner::countOperator() { reach(open.size() + ++operators); }

/// A word that is no alias; `mod` and its like are operators if they are not
/// part of a name, such as `%mod`.
void NestingScanner::readWord() {
  size_t start = position;
  while (llvm::isAlnum(at(position)) || at(position) == '_')
    ++position;
  StringRef word = text.slice(start, position);
  bool isName = start > 0 && StringRef("%@^.$").contains(text[start - 1]);
  if (!isName && (word == "mod" || word == "floordiv" || word == "ceildiv"))
    countOperator();
}

void NestingScanner::reach(size_t levels) {
  tooDeep |= levels > limit;
  if (!defined.empty())
    aliases[defined] = std::max(aliases[defined], levels);
}

/// What was opened within ends, too: the parser will say what is wrong there.
void NestingScanner::close(char opening) {
  if (opening == '<') {
    if (!open.empty() && open.back() == '<')
      open.pop_back();
    return;
  }
  while (!open.empty())
    if (open.pop_back_val() == opening)
      break;
}

std::optional<size_t> NestingScanner::scan() {
  while (position < text.size()) {
    size_t here = position;
    char c = text[position];
    if (c == '\n' && open.empty() && hasBegun)
      defined = {};
    else if (!llvm::isSpace(c) && c != '/')
      hasBegun = true;
    if (c == '-' && at(position + 1) != '>') {
      reach(open.size() + ++signs);
      countOperator();
    } else if (!llvm::isSpace(c)) {
      signs = 0;
    }
    if (llvm::isAlpha(c)) {
      readWord();
      if (tooDeep)
        return here;
      continue;
    }
    switch (c) {
    case '"':
      skipString();
      continue;
    case '/':
      if (at(position + 1) == '/') {
        skipComment();
        continue;
      }
      break;
    case '#':
    case '!':
      readAlias();
      if (tooDeep)
        return here;
      continue;
    case '+':
    case '*':
      countOperator();
      break;
    case ',':
    case '=':
    case ':':
      operators = 0;
      break;
    case '(':
    case '[':
    case '{':
      open.push_back(c);
      reach(open.size());
      break;
    case '<':
      // Not `<=`.
      if (at(position + 1) == '=')
        break;
      open.push_back(c);
      reach(open.size());
      break;
    case ')':
      close('(');
      break;
    case ']':
      close('[');
      break;
    case '}':
      close('{');
      break;
    case '>':
      // Not `->`.
      if (position == 0 || text[position - 1] != '-')
        close('<');
      break;
    default:
      break;
    }
    if (tooDeep)
      return here;
    ++position;
  }
  return std::nullopt;
}

std::optional<size_t> stencil::findDeepNesting(StringRef text, unsigned limit,
                                               StringRef splitMarker) {
  return NestingScanner(text, limit, splitMarker).scan();
}

std::string stencil::describeNestingLimit() {
  return "expected at most " + std::to_string(kMaxNesting) +
         " levels of regions, types, attributes and affine expressions, got "
         "more";
}
