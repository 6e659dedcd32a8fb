//===- ScheduleRequest.cpp - The schedule that a user asks for ------------===//

#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/IR/WindowLimits.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace stencil;

static bool isIdentifier(StringRef text) {
  return llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !llvm::isDigit(text.front());
}

static std::string describeExpected(StringRef got) {
  if (isTimedChoice(got))
    return "expected a schedule that is chosen without a run, got 'timed': "
           "stencil-run and executables for a GPU time schedules";
  return "expected a #stencil.schedule or one of the names auto, model, "
         "measured, default, " +
         llvm::join(getScheduleNames(), ", ") + ", got '" + got.str() + "'";
}

std::optional<ScheduleChoice> stencil::parseScheduleChoice(StringRef text) {
  return llvm::StringSwitch<std::optional<ScheduleChoice>>(text.trim())
      .Cases({"", "auto"}, ScheduleChoice::Auto)
      .Case("model", ScheduleChoice::Model)
      .Case("measured", ScheduleChoice::Measured)
      .Case("default", ScheduleChoice::Default)
      .Default(std::nullopt);
}

bool stencil::isTimedChoice(StringRef text) { return text.trim() == "timed"; }

std::string stencil::printSchedule(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  return text;
}

StringRef stencil::getEvidenceName(Evidence evidence) {
  switch (evidence) {
  case Evidence::Asked:
    return "asked";
  case Evidence::Measured:
    return "measured";
  case Evidence::Model:
    return "model";
  case Evidence::Default:
    return "default";
  }
  llvm_unreachable("all kinds of evidence are named");
}

FailureOr<ScheduleRequest>
ScheduleRequest::parse(StringRef text, MLIRContext *context, Location loc) {
  ScheduleRequest request;
  text = text.trim();
  if (text.empty())
    return request;
  if (isIdentifier(text)) {
    if (!isScheduleName(text))
      return emitError(loc, describeExpected(text));
    request.name = text.str();
    return request;
  }
  Attribute attribute = parseAttribute(text, context);
  if (!attribute)
    return failure(); // reported by the parser
  request.attribute = dyn_cast<ScheduleAttr>(attribute);
  if (auto list = dyn_cast<ArrayAttr>(attribute);
      list && llvm::all_of(list, [](Attribute element) {
        return isa<ScheduleAttr, UnitAttr>(element);
      }))
    request.list = list;
  if (!request.attribute && !request.list)
    return emitError(loc, "expected a #stencil.schedule, got ") << attribute;
  return request;
}

llvm::Error stencil::checkScheduleText(StringRef text) {
  StringRef trimmed = text.trim();
  if (!trimmed.empty() && parseScheduleChoice(trimmed))
    return llvm::Error::success();
  if (trimmed.empty())
    return llvm::createStringError(describeExpected(text));
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<StencilDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  if (succeeded(
          ScheduleRequest::parse(text, &context, UnknownLoc::get(&context))))
    return llvm::Error::success();
  // MLIR's own words are for who wrote a file.
  StringRef reason = message;
  if (reason.consume_back(" character in pretty dialect name"))
    return llvm::createStringError(reason + " in '" + trimmed + "'");
  if (reason == "expected attribute value" ||
      reason.contains("unregistered dialect"))
    return llvm::createStringError(describeExpected(trimmed));
  return llvm::createStringError(reason);
}

llvm::SmallVector<ApplyOp> stencil::getScheduledApplies(ModuleOp module) {
  return listWithin(module, [](ApplyOp apply) {
    return !apply->getParentOfType<PipelineOp>();
  });
}

/// Why a schedule cannot be the one of an apply.
static std::string explainMisfit(ScheduleAttr schedule) {
  std::string why = "the schedule is for ";
  llvm::raw_string_ostream os(why);
  if (int64_t rank = schedule.getRank())
    os << rank << " axes";
  else
    os << "at least " << schedule.getStream().value_or(0) + 1 << " axes";
  if (size_t windows = schedule.getWindow().size(); windows > 1)
    os << " and " << windows << " inputs";
  return why;
}

/// A schedule for all applies with one window for all inputs: those that can
/// have it get it, the others stay in the cache, and a remark says so. Null if
/// none can; `why` then says why.
static ScheduleAttr fitWindows(ScheduleAttr schedule, ApplyOp apply,
                               std::string &why) {
  if (schedule.getWindow().size() != 1 ||
      schedule.getWindow().front() == Space::Cache)
    return schedule;
  ScheduleKeys keys(schedule);
  Space wanted = keys.window.front();
  keys.window.clear();
  std::string cached;
  llvm::raw_string_ostream os(cached);
  for (BlockArgument input : apply.getBodyBlock()->getArguments()) {
    if (!isa<GridType>(input.getType()))
      continue;
    std::string reason = explainNoWindow(apply, input);
    keys.window.push_back(reason.empty() ? wanted : Space::Cache);
    if (!reason.empty())
      os << (cached.empty() ? "" : "; ") << "input " << input.getArgNumber()
         << ", " << reason;
  }
  if (cached.empty())
    return schedule;
  if (!llvm::is_contained(keys.window, wanted)) {
    llvm::raw_string_ostream(why)
        << "expected an input that can have 'window = "
        << stringifySpace(wanted) << "', got none: " << cached;
    return {};
  }
  remarkMissed(apply.getLoc(), "Schedule", "Window",
               "no 'window = " + stringifySpace(wanted).str() + "' for " +
                   cached);
  return keys.get(apply.getContext());
}

ScheduleAttr ScheduleRequest::getFor(ApplyOp apply, const TargetInfo *target,
                                     std::string &why) const {
  if (!name.empty())
    return getNamedSchedule(name, getKernelShape(apply), *target,
                            apply.getContext(), why);
  if (!attribute)
    return attribute;
  if (suits(attribute, apply))
    return fitWindows(attribute, apply, why);
  why = explainMisfit(attribute);
  llvm::raw_string_ostream(why)
      << ", which no stencil.apply has: " << attribute;
  return {};
}

/// Where errors about the request are: the tools have it from `--schedule`.
static Location getPlace(Location place) {
  return getOptionLocation("schedule", place);
}

LogicalResult ScheduleRequest::assignList(ModuleOp module) const {
  llvm::SmallVector<ApplyOp> applies = getScheduledApplies(module);
  if (applies.size() != list.size())
    return emitError(getPlace(getStart(module)),
                     "expected a list with a schedule for each "
                     "stencil.apply, of which there are ")
           << applies.size() << ", got " << list.size();
  for (auto [apply, element] : llvm::zip_equal(applies, list)) {
    auto schedule = dyn_cast<ScheduleAttr>(element);
    if (!schedule || !isScheduleOpen(apply))
      continue;
    if (!suits(schedule, apply)) {
      auto error =
          emitError(getPlace(apply->getLoc()), explainMisfit(schedule));
      error << ", which this one does not have: " << schedule;
      error.attachNote(apply->getLoc()) << "this one";
      return error;
    }
    apply->setAttr(ScheduleAttr::kAttrName, mergeSchedule(apply, schedule));
  }
  return success();
}

LogicalResult ScheduleRequest::assign(ModuleOp module,
                                      const TargetInfo *target) const {
  if (list)
    return assignList(module);
  if (!attribute && name.empty())
    return success();
  if (attribute && attribute.getTime()) {
    if (anyWithin(module,
                  [](Operation *op) { return op->hasAttr(kStepsAttr); }))
      return success();
    return emitError(getPlace(getStart(module)),
                     "expected a time loop whose steps stencil-block-time has "
                     "put together, for 'time = ")
           << *attribute.getTime() << "'; there is none";
  }
  if (!name.empty() && !target)
    return emitError(getPlace(getStart(module)),
                     "expected a module with the attribute ")
           << TargetAttr::kAttrName << " for the schedule '" << name
           << "', which depends on the GPU; "
              "stencil-attach-target=\"chip=sm_90\" sets it";
  bool isUsed = false;
  std::string why;
  Operation *refused = nullptr;
  for (ApplyOp apply : getScheduledApplies(module)) {
    if (!isScheduleOpen(apply))
      continue;
    std::string reason;
    if (ScheduleAttr schedule = getFor(apply, target, reason)) {
      apply->setAttr(ScheduleAttr::kAttrName, mergeSchedule(apply, schedule));
      isUsed = true;
    } else if (!refused) {
      refused = apply;
      why = std::move(reason);
    }
  }
  if (isUsed || !refused)
    return success();
  return emitError(
      getPlace(name.empty() ? getStart(module) : refused->getLoc()), why);
}

//===----------------------------------------------------------------------===//
// Lists in files
//===----------------------------------------------------------------------===//

FailureOr<llvm::json::Array>
stencil::readJsonList(StringRef path, StringRef what, Location loc) {
  auto report = [&](const Twine &why) {
    return emitError(loc) << "'" << path << "': " << why;
  };
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return report(file.getError().message());
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse((*file)->getBuffer());
  if (!json)
    return report(llvm::toString(json.takeError()));
  llvm::json::Array *list = json->getAsArray();
  if (!list)
    return report("expected a list of " + what);
  return std::move(*list);
}

FailureOr<SmallVector<ScheduleAttr>>
stencil::readScheduleList(StringRef path, MLIRContext *context, Location loc) {
  auto report = [&](const Twine &why) {
    return emitError(loc) << "'" << path << "': " << why;
  };
  auto texts = readJsonList(path, "schedules", loc);
  if (failed(texts))
    return failure();
  SmallVector<ScheduleAttr> list;
  for (const llvm::json::Value &entry : *texts) {
    std::optional<StringRef> text = entry.getAsString();
    if (!text)
      return report("expected texts in the list");
    Attribute parsed =
        text->empty() ? Attribute() : parseAttribute(*text, context);
    if (!text->empty() && !parsed)
      return failure(); // reported by the parser
    if (parsed && !isa<ScheduleAttr>(parsed))
      return report("expected a #stencil.schedule, got ") << parsed;
    list.push_back(dyn_cast_if_present<ScheduleAttr>(parsed));
  }
  return list;
}
