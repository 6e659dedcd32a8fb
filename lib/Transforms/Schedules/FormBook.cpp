//===- FormBook.cpp - Where forms are looked up ---------------------------===//

#include "FormBook.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Tuning/Database.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace stencil;

ScheduleAttr stencil::parseSchedule(StringRef text, MLIRContext *context,
                                    std::string &why) {
  ScopedDiagnosticHandler keep(context, [&](Diagnostic &diagnostic) {
    if (why.empty())
      why = diagnostic.str();
  });
  auto schedule = dyn_cast_or_null<ScheduleAttr>(parseAttribute(text, context));
  if (!schedule && why.empty())
    why = "expected a #stencil.schedule";
  return schedule;
}

/// What the code that fits a form to a kernel relies on; empty: it is there.
static StringRef findMissing(const TuningForm &form, ScheduleAttr schedule) {
  StringRef kernel = form.of.kernel;
  bool isProduct = kernel == "product row" || kernel == "product plane";
  size_t rank = kernel == "product plane"      ? 2
                : isProduct || kernel == "row" ? 1
                                               : 3;
  for (ArrayRef<int64_t> list : {schedule.getBlock(), schedule.getPoints(),
                                 schedule.getOrder(), schedule.getPanel()})
    if (!list.empty() && list.size() != rank)
      return rank == 1   ? "expected lists of one number, for a row"
             : rank == 2 ? "expected lists of two numbers, for a plane"
                         : "expected lists of three numbers, for a volume";
  if (schedule.getBlock().empty() != schedule.getPoints().empty() &&
      kernel != "interior")
    return "expected 'block' and 'points', or neither";
  bool isWalk = kernel == "walk" || kernel == "interior";
  bool isInWindow = schedule.getWindow() == ArrayRef(Space::Shared);
  if (isWalk && !(schedule.getStream() == 0 && isInWindow &&
                  schedule.getAccumulate() && schedule.getPrefetch()))
    return "expected 'stream = 0', 'window = shared', 'accumulate' and "
           "'prefetch', as of all walks";
  if (!isWalk && schedule.getStream())
    return "expected no 'stream'";
  if (kernel == "interior" &&
      (schedule.getPoints().empty() || !schedule.getPlanes() ||
       !schedule.getBlock().empty()))
    return "expected 'points' and 'planes' of an interior, and no 'block'";
  if (kernel == "layer" && schedule.getBlock().empty())
    return "expected 'block' and 'points' of a layer";
  if (kernel == "row" && !isInWindow)
    return "expected 'window = shared' of a row";
  if (isProduct && !(isInWindow && schedule.getEngine() == Engine::Mma &&
                     schedule.getPrefetch() && !schedule.getBlock().empty()))
    return "expected 'window = shared', 'engine = mma', 'prefetch', 'block' "
           "and 'points' of products";
  return {};
}

LogicalResult FormBook::load(StringRef from, Location loc) {
  auto database = TuningDatabase::load(from);
  if (!database)
    return emitError(loc, llvm::toString(database.takeError()));
  own = std::move(database->forms);
  path = from.str();
  for (auto [index, form] : llvm::enumerate(own)) {
    if (findFormKind(form.of.kernel)->isOnlyShipped)
      return emitError(loc)
             << "'" << from << "': forms[" << index
             << "].of.kernel: expected another one: such kernels have the "
                "forms that are shipped";
    std::string why;
    ScheduleAttr schedule = parseSchedule(form.schedule, loc.getContext(), why);
    if (schedule)
      why = findMissing(form, schedule).str();
    if (!why.empty())
      return emitError(loc)
             << "'" << from << "': forms[" << index << "].schedule: " << why;
  }
  return success();
}

FoundForm FormBook::find(const FormFacts &facts, const TargetInfo &target,
                         MLIRContext *context) const {
  for (ArrayRef<TuningForm> forms : {ArrayRef(own), getShippedForms()})
    if (const TuningForm *form = findForm(forms, facts, getFormDevice(target)))
      return {form, parseShippedSchedule(*form, context)};
  return {};
}

std::optional<int64_t> FormBook::getFewestTaps(const FormFacts &row,
                                               const TargetInfo &target) const {
  std::optional<int64_t> fewest;
  for (ArrayRef<TuningForm> forms : {ArrayRef(own), getShippedForms()})
    if (auto taps = stencil::getFewestTaps(forms, row, getFormDevice(target)))
      fewest = std::min(fewest.value_or(*taps), *taps);
  return fewest;
}

ScheduleAttr stencil::makeSchedule(const ScheduleKeys &keys,
                                   MLIRContext *context) {
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  return keys.getChecked([&] { return emitError(UnknownLoc::get(context)); },
                         context);
}

ScheduleAttr stencil::parseShippedSchedule(const TuningForm &form,
                                           MLIRContext *context) {
  std::string why;
  ScheduleAttr schedule = parseSchedule(form.schedule, context, why);
  assert(schedule && "a shipped form has a schedule");
  return schedule;
}

std::string FormBook::describe(const TuningForm &form) const {
  bool isOwn = !own.empty() && &own.front() <= &form && &form <= &own.back();
  return "'" + form.name + "' of " +
         (isOwn ? "'" + path + "'" : "the shipped forms");
}
