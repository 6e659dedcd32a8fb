//===- Runner.cpp - Evaluates programs over boxes -------------------------===//

#include "Runner.h"
#include "Errors.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Support/PointError.h"
#include "llvm/Support/ScopedPrinter.h"

#include <atomic>

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

ThreadTeam::ThreadTeam(unsigned threads)
    : threads(threads == 0 ? getNumUsableCpus() : threads) {
  if (this->threads > 1)
    pool = std::make_unique<llvm::DefaultThreadPool>(
        llvm::hardware_concurrency(this->threads - 1));
}

void ThreadTeam::run(unsigned count, llvm::function_ref<void(unsigned)> task) {
  for (unsigned thread = 1; thread < std::min(count, threads); ++thread)
    pool->async([task, thread] { task(thread); });
  task(0);
  if (count > 1 && pool)
    pool->wait();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Checks that offsets `lower`..`upper` from every base point stay in `input`.
static LogicalResult checkReach(const Evaluation &evaluation, Operation *op,
                                unsigned input, ArrayRef<int64_t> axes,
                                ArrayRef<int64_t> lower,
                                ArrayRef<int64_t> upper) {
  const Box &box = evaluation.inputs[input].array.box;
  const Box &domain = evaluation.domain;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t first = domain.lb[axis] + lower[i];
    int64_t end =
        domain.ub[axis] - (evaluation.program->unroll[axis] - 1) + upper[i];
    if (first >= box.lb[i] && end <= box.ub[i])
      continue;
    InFlightDiagnostic diag = op->emitError("accesses [")
                              << first << ',' << end << ") of axis " << i
                              << ", expected to stay in "
                              << llvm::to_string(box);
    Operation *apply = evaluation.op;
    diag.attachNote(apply->getLoc())
        << "evaluated on " << llvm::to_string(domain) << " here";
    return diag;
  }
  return success();
}

LogicalResult stencil::interp::checkAccesses(const Evaluation &evaluation) {
  const Program &program = *evaluation.program;
  for (unsigned axis = 0; axis < program.rank; ++axis)
    if (evaluation.domain.getExtent(axis) % program.unroll[axis] != 0)
      return ApplyOp(evaluation.op).emitOpError("expected the extent of axis ")
             << axis << " to be a multiple of the unroll factor "
             << program.unroll[axis] << ", got "
             << evaluation.domain.getExtent(axis);
  for (const Program::Access &access : program.accesses) {
    const Program::View &view = program.views[access.view];
    if (failed(checkReach(evaluation, access.op, view.input, view.axes,
                          access.offset, access.offset)))
      return failure();
  }
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, program.rank));
  for (const Program::Range &range : program.ranges)
    if (failed(checkReach(evaluation, range.op, range.input, axes, range.lower,
                          range.upper)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {

/// Walks one thread through chunks of the domain.
class Worker {
public:
  Worker(const Evaluation &evaluation, Frame &frame, int64_t chunksPerRow)
      : evaluation(evaluation), program(*evaluation.program), frame(frame),
        chunksPerRow(chunksPerRow) {
    for (const BoundOutput &output : evaluation.outputs)
      outputStrides.push_back(output.array.getStrides());
    frame.point.resize(program.rank);
    frame.laneStep = program.unroll.back();
    frame.inputs = evaluation.inputs;
  }

  void fillUniforms();
  /// False on a fault, which is in the frame.
  bool evaluateChunk(int64_t index);

private:
  void locate(int64_t index);
  void bindAccesses();
  void markUnspecified(uint8_t *marks, const Program::View &view,
                       const BoundInput &input, int64_t index) const;
  void writeOutput(const Program::Output &output);
  void writeErrors(const Program::Output &output);
  bool isWrittenDirectly(const Program::Output &output) const {
    return output.isDirect && !evaluation.outputs[output.result].isAliased;
  }
  int64_t getOutputIndex(const Program::Output &output) const;

  const Evaluation &evaluation;
  const Program &program;
  Frame &frame;
  int64_t chunksPerRow;
  SmallVector<SmallVector<int64_t, 4>> outputStrides;
};

} // namespace

void Worker::fillUniforms() {
  int64_t n =
      std::min(program.chunk, evaluation.domain.getExtent(program.rank - 1));
  for (const Program::Constant &constant : program.constants)
    splat(frame.registers[constant.reg], constant.value.bytes,
          program.registers[constant.reg], n);
  for (auto [scalar, value] :
       llvm::zip_equal(program.scalars, evaluation.scalars))
    splat(frame.registers[scalar.reg], value.bytes,
          program.registers[scalar.reg], n);
  if (frame.shadows.empty())
    return;
  for (auto [scalar, error] :
       llvm::zip_equal(program.scalars, evaluation.scalarErrors))
    for (double *numbers :
         {frame.shadows[scalar.reg].linear, frame.shadows[scalar.reg].coherent,
          frame.shadows[scalar.reg].random})
      std::fill_n(numbers, n, error);
}

/// Point and length of a chunk.
void Worker::locate(int64_t index) {
  const Box &domain = evaluation.domain;
  unsigned last = program.rank - 1;
  int64_t lanes = domain.getExtent(last) / program.unroll[last];
  int64_t row = index / chunksPerRow;
  int64_t first = index % chunksPerRow * program.chunk;
  frame.n = std::min(program.chunk, lanes - first);
  frame.point[last] = domain.lb[last] + first * program.unroll[last];
  for (unsigned axis = last; axis-- > 0;) {
    int64_t steps = domain.getExtent(axis) / program.unroll[axis];
    frame.point[axis] = domain.lb[axis] + row % steps * program.unroll[axis];
    row /= steps;
  }
  frame.salt = mixSalt(evaluation.salt + static_cast<uint64_t>(index));
}

void Worker::bindAccesses() {
  for (const Program::Access &access : program.accesses) {
    const Program::View &view = program.views[access.view];
    const BoundInput &input = evaluation.inputs[view.input];
    int64_t index = 0;
    for (auto [i, axis] : llvm::enumerate(view.axes))
      index += (frame.point[axis] + access.offset[i] - input.array.box.lb[i]) *
               input.strides[i];
    unsigned size = getSize(input.array.kind);
    char *data = input.array.data + index * static_cast<int64_t>(size);
    if (program.isPointer[access.reg]) {
      frame.registers[access.reg] = data;
    } else {
      bool alongRow =
          view.axes.back() + 1 == static_cast<int64_t>(program.rank);
      gather(frame.registers[access.reg], data, alongRow ? frame.laneStep : 0,
             size, frame.n);
    }
    if (!frame.unspecified.empty())
      markUnspecified(frame.unspecified[access.reg], view, input, index);
    if (frame.shadows.empty())
      continue;
    // The sign says something else.
    bool alongRow = view.axes.back() + 1 == static_cast<int64_t>(program.rank);
    int64_t step = alongRow ? frame.laneStep : 0;
    const Shadow &shadow = frame.shadows[access.reg];
    for (int64_t lane = 0; lane < frame.n; ++lane) {
      const PointError &error = input.array.errors[index + lane * step];
      shadow.linear[lane] = std::fabs(error.bound);
      shadow.coherent[lane] = error.coherent;
      shadow.random[lane] = error.random;
    }
  }
}

void Worker::markUnspecified(uint8_t *marks, const Program::View &view,
                             const BoundInput &input, int64_t index) const {
  bool alongRow = view.axes.back() + 1 == static_cast<int64_t>(program.rank);
  int64_t step = alongRow ? frame.laneStep : 0;
  for (int64_t lane = 0; lane < frame.n; ++lane)
    marks[lane] =
        input.mask && input.mask[index + lane * step] != PointState::Set;
}

int64_t Worker::getOutputIndex(const Program::Output &output) const {
  int64_t index = 0;
  const Box &box = evaluation.outputs[output.result].array.box;
  for (unsigned axis = 0; axis < program.rank; ++axis)
    index += (frame.point[axis] + output.offset[axis] - box.lb[axis]) *
             outputStrides[output.result][axis];
  return index;
}

void Worker::writeOutput(const Program::Output &output) {
  const BoundOutput &bound = evaluation.outputs[output.result];
  int64_t size = getSize(bound.array.kind), index = getOutputIndex(output);
  int64_t step = frame.laneStep, n = frame.n;
  char *to = bound.array.data + index * size;
  const char *from = frame.registers[output.reg];
  if (!frame.unspecified.empty()) {
    scatter(to, step, from, size, n);
    for (int64_t lane = 0; lane < n; ++lane) {
      bool isOpen = frame.unspecified[output.reg][lane] != 0;
      char state = isOpen ? PointState::Unspecified : PointState::Set;
      if (output.set && frame.unspecified[*output.set][lane])
        state = PointState::Unspecified;
      else if (output.set && !frame.get<uint8_t>(*output.set)[lane])
        state = PointState::Unset;
      bound.mask[index + lane * step] = state;
    }
    return;
  }
  if (output.set) {
    const auto *set = frame.get<uint8_t>(*output.set);
    for (int64_t lane = 0; lane < n; ++lane)
      if (set[lane])
        std::memcpy(to + lane * step * size, from + lane * size, size);
    if (bound.mask)
      scatter(bound.mask + index, step, set, 1, n);
    return;
  }
  if (bound.mask)
    for (int64_t lane = 0; lane < n; ++lane)
      bound.mask[index + lane * step] = 1;
  if (step == 1)
    std::memcpy(to, from, n * size);
  else
    scatter(to, step, from, size, n);
}

/// Of the smallest normal number.
static int getMinExponent(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return -14;
  case Kind::F64:
    return -1022;
  default:
    return -126;
  }
}

/// The error of a lane. What is added up whatever its sign grows without end
/// where errors cancel, as in a wave's 2 u - v. Examples with signs do not; a
/// few neighbours' together are not small by chance.
static double limitError(const Shadow &shadow, int64_t lane, int64_t n) {
  constexpr int64_t neighbours = 1;
  constexpr double margin = 4;
  double error = shadow.getError(lane), example = 0;
  for (int64_t i = std::max<int64_t>(lane - neighbours, 0),
               end = std::min(lane + neighbours + 1, n);
       i < end; ++i)
    example = std::max(
        {example, std::fabs(shadow.coherent[i]), std::fabs(shadow.random[i])});
  if (!std::isfinite(error))
    return kUnknown;
  return std::max(std::min(error, margin * example), shadow.quadratic[lane]);
}

void Worker::writeErrors(const Program::Output &output) {
  const ArrayView &array = evaluation.outputs[output.result].array;
  PointError *to = array.errors + getOutputIndex(output);
  const Shadow &from = frame.shadows[output.reg];
  double *values = frame.getScratch(0);
  toDouble(values, frame.registers[output.reg], array.kind, frame.n);
  // Of numbers as small as that, nobody asks for digits.
  double negligible = std::ldexp(1.0, getMinExponent(array.kind));
  for (int64_t lane = 0; lane < frame.n; ++lane) {
    double error = from.linear[lane];
    // Else, a copy, with its mark.
    if (from.quadratic[lane] > 0) {
      error = limitError(from, lane, frame.n);
      double bound = program.analysis->factor * error;
      double magnitude =
          std::max(from.magnitude[lane], std::fabs(values[lane]));
      error = markBlind(error, 2 * bound > magnitude && bound > negligible);
    }
    if (output.set) {
      // Stored or not, as rounding decides.
      if (frame.shadows[*output.set].linear[lane] > 0)
        error = kUnknown;
      else if (!frame.get<uint8_t>(*output.set)[lane])
        continue;
    }
    to[lane * frame.laneStep] = {error, from.coherent[lane], from.random[lane]};
  }
}

bool Worker::evaluateChunk(int64_t index) {
  locate(index);
  frame.mask = nullptr;
  bindAccesses();
  SmallVector<std::pair<unsigned, char *>> own;
  for (const Program::Output &output : program.outputs) {
    if (!isWrittenDirectly(output))
      continue;
    const ArrayView &array = evaluation.outputs[output.result].array;
    own.push_back({output.reg, frame.registers[output.reg]});
    frame.registers[output.reg] =
        array.data +
        getOutputIndex(output) * static_cast<int64_t>(getSize(array.kind));
  }
  bool isDone = program.body.run(frame);
  // Before the values, some of which lie in what is written over.
  if (isDone && !frame.shadows.empty())
    for (const Program::Output &output : program.outputs)
      writeErrors(output);
  for (auto [reg, memory] : own)
    frame.registers[reg] = memory;
  if (!isDone)
    return false;
  // A result that is an input as it is lies in the memory of the input, which
  // another result may be written over.
  std::vector<std::vector<char>> copies;
  if (program.outputs.size() > 1 &&
      llvm::any_of(evaluation.outputs,
                   [](const BoundOutput &output) { return output.isAliased; }))
    for (const Program::Output &output : program.outputs) {
      if (!program.isPointer[output.reg])
        continue;
      char *&data = frame.registers[output.reg];
      data =
          copies
              .emplace_back(
                  data, data + frame.n * getSize(program.registers[output.reg]))
              .data();
    }
  for (const Program::Output &output : program.outputs)
    if (!isWrittenDirectly(output))
      writeOutput(output);
  return true;
}

/// Emits what went wrong at which point.
static LogicalResult emitFault(const Evaluation &evaluation,
                               const Fault &fault) {
  InFlightDiagnostic diag = fault.op->emitError(describe(fault.kind));
  auto append = [&](ArrayRef<int64_t> values) {
    diag << '[';
    llvm::interleaveComma(values, diag);
    diag << ']';
  };
  if (fault.kind == FaultKind::OutOfRange) {
    diag << ": ";
    append(fault.values);
  } else if (fault.kind == FaultKind::BadStep) {
    diag << ", got " << fault.values[0];
  }
  diag << " at point ";
  append(fault.point);
  Operation *apply = evaluation.op;
  diag.attachNote(apply->getLoc()) << "in this apply";
  return diag;
}

/// A frame with memory for all registers of its own; null if there is none.
static std::unique_ptr<Frame> makeFrame(const Program &program,
                                        MemoryPool &pool) {
  auto frame = std::make_unique<Frame>();
  for (auto [kind, isPointer] :
       llvm::zip_equal(program.registers, program.isPointer)) {
    frame->registers.push_back(nullptr);
    if (isPointer)
      continue;
    // Zero, so that what inactive lanes compute with is defined.
    uint64_t bytes = program.chunk * getSize(kind);
    MemoryPool::Block block = pool.allocate(bytes);
    if (!block)
      return nullptr;
    std::memset(block.get(), 0, bytes);
    frame->registers.back() = block.get();
    frame->memory.push_back(std::move(block));
  }
  for (size_t reg = 0;
       program.followsUnspecified && reg < program.registers.size(); ++reg) {
    MemoryPool::Block block = pool.allocate(program.chunk);
    if (!block)
      return nullptr;
    std::memset(block.get(), 0, program.chunk);
    frame->unspecified.push_back(reinterpret_cast<uint8_t *>(block.get()));
    frame->memory.push_back(std::move(block));
  }
  if (!program.analysis)
    return frame;
  frame->chunk = program.chunk;
  for (size_t reg = 0; reg < program.registers.size(); ++reg) {
    uint64_t bytes = 5 * program.chunk * sizeof(double);
    MemoryPool::Block block = pool.allocate(bytes);
    if (!block)
      return nullptr;
    std::memset(block.get(), 0, bytes);
    auto *numbers = reinterpret_cast<double *>(block.get());
    auto at = [&](int64_t part) { return numbers + part * program.chunk; };
    frame->shadows.push_back({at(0), at(1), at(2), at(3), at(4)});
    frame->memory.push_back(std::move(block));
  }
  return frame;
}

LogicalResult stencil::interp::evaluate(Evaluation &evaluation,
                                        ThreadTeam &team, MemoryPool &pool) {
  Program &program = *evaluation.program;
  const Box &domain = evaluation.domain;
  unsigned last = program.rank - 1;
  int64_t lanes = domain.getExtent(last) / program.unroll[last];
  int64_t chunksPerRow = (lanes + program.chunk - 1) / program.chunk;
  int64_t chunks = chunksPerRow;
  for (unsigned axis = 0; axis < last; ++axis)
    chunks *= domain.getExtent(axis) / program.unroll[axis];

  // Several pieces per thread, because others use the machine too; small
  // domains are not worth waking threads.
  constexpr int64_t worthwhile = int64_t(1) << 16, piecesPerThread = 8;
  int64_t work = chunks * std::min(lanes, program.chunk) *
                 static_cast<int64_t>(program.registers.size());
  int64_t threads = std::clamp<int64_t>(work / worthwhile, 1, team.size());
  threads = std::min(threads, chunks);
  int64_t piece = (chunks - 1) / (threads * piecesPerThread) + 1;
  while (program.frames.size() < static_cast<size_t>(threads)) {
    program.frames.push_back(makeFrame(program, pool));
    if (!program.frames.back()) {
      program.frames.pop_back();
      return evaluation.op.emitError(
          "not enough memory for the registers of the "
          "body");
    }
  }

  std::atomic<int64_t> next{0}, firstFault{chunks};
  SmallVector<int64_t> faults(threads, chunks);
  team.run(threads, [&](unsigned thread) {
    Frame &frame = *program.frames[thread];
    Worker worker(evaluation, frame, chunksPerRow);
    worker.fillUniforms();
    while (true) {
      int64_t begin = next.fetch_add(piece);
      // What comes after a fault is never asked for.
      int64_t end = std::min(begin + piece, firstFault.load());
      for (int64_t index = begin; index < end; ++index) {
        if (worker.evaluateChunk(index))
          continue;
        faults[thread] = index;
        int64_t known = firstFault.load();
        while (index < known &&
               !firstFault.compare_exchange_weak(known, index)) {
        }
        return;
      }
      if (begin >= end)
        return;
    }
  });
  auto *first = llvm::min_element(faults);
  if (*first == chunks)
    return success();
  return emitFault(evaluation, program.frames[first - faults.begin()]->fault);
}
