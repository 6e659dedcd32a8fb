// Measures a solution of YASK's with one field, `A`:
//   STEPS_IN_BLOCKS SECONDS STEPS REPEATS ...
// STEPS_IN_BLOCKS: steps of a block in time, 0: one step per sweep; SECONDS:
// for its own tuner, which looks for the sizes of blocks.
#include "peers.h"
#include "yask_kernel_api.hpp"

namespace {

struct Yask {
  using T = ELEMENT;
  using Indices = yask::idx_t_vec;
  yask::yk_env_ptr env;
  yask::yk_solution_ptr solution;
  yask::yk_var_ptr var;
  const long shape[3] = {PLANES, ROWS, COLUMNS};

  /// Planes have two axes.
  static constexpr int first = PLANES > 1 ? 0 : 1;

  explicit Yask(const std::string &blocks) {
    yask::yk_factory factory;
    yask::yk_env::disable_debug_output();
    env = factory.new_env();
    solution = factory.new_solution(env);
    Indices extents(shape + first, shape + 3);
    solution->set_overall_domain_size_vec(extents);
    solution->apply_command_line_options(
        blocks == "0" ? "-no-auto_tune" : "-no-auto_tune -bt " + blocks);
    solution->prepare_solution();
    var = solution->get_var("A");
  }

  Indices corner(long t, long z, bool last) const {
    Indices at = {t};
    if (first == 0)
      at.push_back(z);
    for (int axis = 1; axis < 3; ++axis)
      at.push_back(last ? shape[axis] + RADIUS - 1 : -RADIUS);
    return at;
  }
  /// Plane by plane, or a plane as a whole.
  template <class Each> void each(long t, T *full, Each copy) const {
    const long size = (ROWS + 2 * RADIUS) * (COLUMNS + 2 * RADIUS);
    for (long z = first ? 0 : -RADIUS; z < (first ? 1 : PLANES + RADIUS); ++z)
      copy(full + (first ? 0 : z + RADIUS) * size, size, corner(t, z, false),
           corner(t, z, true));
  }

  /// The step that is next; its field is there, and the one before, whose place
  /// the step after it has.
  long start = 0;
  void put(int f, T *full) {
    each(start ? start - f : f, full,
         [&](T *at, long size, Indices low, Indices high) {
           var->set_elements_in_slice(at, size, low, high);
         });
  }
  void get(int, T *full) {
    each(start, full, [&](T *at, long size, Indices low, Indices high) {
      var->get_elements_in_slice(at, size, low, high);
    });
  }
  void run(int steps) {
    solution->run_solution(start, start + steps - 1);
    start += steps;
  }

  void tune(double seconds, int steps) {
    if (seconds <= 0)
      return;
    solution->reset_auto_tuner(true);
    auto begin = std::chrono::steady_clock::now();
    std::chrono::duration<double> taken{0};
    while (solution->is_auto_tuner_enabled() && taken.count() < seconds) {
      run(steps);
      taken = std::chrono::steady_clock::now() - begin;
    }
    solution->reset_auto_tuner(false);
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 6)
    fail("expected STEPS_IN_BLOCKS SECONDS STEPS REPEATS U V ...");
  Yask yask(argv[1]);
  yask.tune(std::atof(argv[2]), std::max(4, std::atoi(argv[1])));
  return measure(yask, argc - 3, argv + 3);
}
