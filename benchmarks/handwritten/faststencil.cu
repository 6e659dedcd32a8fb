// Measures a kernel of FastStencil's (SC'26), whose sources are compiled into
// this program, for random numbers of all mantissa bits:
//   EXTENTS SECONDS SHORT      extents joined by commas
// Prints how many steps a launch has, the rates of calls that take SECONDS and
// SHORT, both from the same fields and after a pause, and the largest relative
// difference from plain sweeps where no boundary is in reach (null if one of
// its results is no number).
//   nvcc -std=c++20 -O3 -arch=sm_90 -DKERNEL=j2d5pt -DRANK=2
//        -IDIR/2dstencil/include -IDIR/2dstencil/lib faststencil.cu
#include "FastStencil.cu"
#include "utils.cu"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

constexpr KernelType kKernel = KernelType::KERNEL;
constexpr int kRadius = KernelInfo<kKernel>::RAD;

void check(cudaError_t code) {
  if (code == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(code));
  std::exit(1);
}

struct Extents {
  int planes, rows, columns;
  size_t count() const { return size_t(planes) * rows * columns; }
};

/// Numbers from 0 to 1, mixed from their place.
__global__ void fillRandom(double *field, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    uint64_t bits = i + 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    field[i] = double((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
  }
}

/// One step by the sum that FastStencil defines for the processor.
__global__ void sweep(const double *from, double *to, Extents n) {
  constexpr int width = 2 * kRadius + 1;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  auto clamp = [](int at, int end) { return min(max(at, 0), end - 1); };
  auto read = [&](int dz, int dy, int dx) {
    size_t row =
        size_t(clamp(z + dz, n.planes)) * n.rows + clamp(y + dy, n.rows);
    return from[row * n.columns + clamp(x + dx, n.columns)];
  };
  if (x >= n.columns)
    return;
  double sum = 0;
#if RANK == 3
  double near[width][width][width];
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j)
      for (int k = 0; k < width; ++k)
        near[i][j][k] = read(i - kRadius, j - kRadius, k - kRadius);
#else
  double near[width][width];
  for (int j = 0; j < width; ++j)
    for (int k = 0; k < width; ++k)
      near[j][k] = read(0, j - kRadius, k - kRadius);
#endif
  utils::kernelCompute<kKernel, double>(&sum, near);
  to[(size_t(z) * n.rows + y) * n.columns + x] = sum;
}

/// The largest relative difference `reach` points from every end and farther.
__global__ void compare(const double *a, const double *b, Extents n, int reach,
                        unsigned long long *worst) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  bool isInside = x >= reach && x < n.columns - reach && y >= reach &&
                  y < n.rows - reach &&
                  (RANK == 2 || (z >= reach && z < n.planes - reach));
  if (!isInside)
    return;
  size_t at = (size_t(z) * n.rows + y) * n.columns + x;
  double error = fabs(a[at] - b[at]) / fabs(b[at]);
  // What is no number differs from everything. Bits of positive numbers are
  // ordered as they are.
  atomicMax(worst, __double_as_longlong(error == error ? error : HUGE_VAL));
}

class Runner {
public:
  explicit Runner(Extents n) : extents(n) {
    size_t bytes = n.count() * sizeof(double);
    for (double *&field : fields)
      check(cudaMalloc(&field, bytes));
    check(cudaMalloc(&start, bytes));
    fillRandom<<<1024, 256>>>(start, n.count());
    prepareLaunch();
    check(cudaEventCreate(&before));
    check(cudaEventCreate(&after));
  }

  int getStepsOfLaunch() const {
    return DeviceParams<kKernel, double>::getInstance().get_BT();
  }

  /// Seconds of so many launches.
  double run(int launches) {
    check(cudaMemcpy(fields[0], start, extents.count() * sizeof(double),
                     cudaMemcpyDeviceToDevice));
    check(cudaDeviceSynchronize());
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    check(cudaEventRecord(before));
    for (int i = 0; i < launches; ++i)
      launch(fields[i % 2], fields[(i + 1) % 2]);
    check(cudaEventRecord(after));
    check(cudaEventSynchronize(after));
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, before, after));
    return milliseconds * 1e-3;
  }

  double verify() {
    constexpr int launches = 2;
    int steps = launches * getStepsOfLaunch();
    run(launches);
    double *plain[2];
    size_t bytes = extents.count() * sizeof(double);
    for (double *&field : plain)
      check(cudaMalloc(&field, bytes));
    check(cudaMemcpy(plain[0], start, bytes, cudaMemcpyDeviceToDevice));
    dim3 blocks((extents.columns + 255) / 256, extents.rows, extents.planes);
    for (int i = 0; i < steps; ++i)
      sweep<<<blocks, 256>>>(plain[i % 2], plain[(i + 1) % 2], extents);
    unsigned long long *worst, found;
    check(cudaMalloc(&worst, sizeof *worst));
    check(cudaMemset(worst, 0, sizeof *worst));
    compare<<<blocks, 256>>>(fields[launches % 2], plain[steps % 2], extents,
                             steps * kRadius, worst);
    check(cudaMemcpy(&found, worst, sizeof found, cudaMemcpyDeviceToHost));
    for (double *field : plain)
      check(cudaFree(field));
    check(cudaFree(worst));
    double difference;
    static_assert(sizeof difference == sizeof found);
    std::memcpy(&difference, &found, sizeof found);
    return difference;
  }

private:
  void prepareLaunch() {
    auto &params = DeviceParams<kKernel, double>::getInstance();
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    auto kernel = FastStencil_Kernel<kKernel, double>;
    check(cudaFuncSetAttribute(kernel,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               device.sharedMemPerBlockOptin));
    auto cover = [](int points, int tile) {
      return (points + tile - 1) / tile;
    };
    grid.x = cover(extents.columns, params.get_gm_x_vaild_tile());
#if RANK == 3
    grid.y = cover(extents.rows, params.get_gm_y_vaild_tile());
    block = dim3(params.get_warps_y_num() * 32, params.get_warps_t_num());
    shared = params.get_sm_z_tile_mod() * params.get_gm_y_halo_tile() *
             params.get_gm_x_halo_tile();
    shared += params.get_warps_t_num() * params.get_core_z_tile_stream() *
              params.get_sm2_y_tile() * params.get_gm_x_halo_tile();
#else
    block = dim3(params.get_CTX_SZ());
    shared = params.get_sm_y_tile_mod() * params.get_gm_x_halo_tile();
#endif
    shared *= sizeof(double);
    int atOnce;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &atOnce, kernel, block.x * block.y, shared));
    // As its own program does: the last axis of the grid fills the device.
    int parts =
        std::max<int>(device.multiProcessorCount * atOnce / grid.x / grid.y, 1);
    (RANK == 3 ? grid.z : grid.y) = parts;
  }

  void launch(double *from, double *to) {
#if RANK == 3
    FastStencil_Kernel<kKernel, double><<<grid, block, shared>>>(
        from, to, extents.planes, extents.rows, extents.columns);
#else
    FastStencil_Kernel<kKernel, double>
        <<<grid, block, shared>>>(from, to, extents.rows, extents.columns);
#endif
    check(cudaGetLastError());
  }

  Extents extents;
  double *fields[2], *start;
  cudaEvent_t before, after;
  dim3 grid, block;
  size_t shared = 0;
};

} // namespace

int main(int argc, char **argv) {
  Extents n{1, 0, 0};
  double seconds, shortSeconds;
  const char *form = RANK == 3 ? "%d,%d,%d" : "%d,%d";
  int *first = RANK == 3 ? &n.planes : &n.rows;
  if (argc != 4 ||
      std::sscanf(argv[1], form, first, first + 1, first + 2) != RANK ||
      std::sscanf(argv[2], "%lf", &seconds) != 1 ||
      std::sscanf(argv[3], "%lf", &shortSeconds) != 1) {
    std::fprintf(stderr, "error: expected EXTENTS SECONDS SHORT\n");
    return 1;
  }
  Runner runner(n);
  double difference = runner.verify();
  double updates = double(n.count()) * runner.getStepsOfLaunch() * 1e-9;
  double ofLaunch = runner.run(4) / 4;
  auto measure = [&](const char *name, double limit) {
    int launches = std::max<int>(1, std::ceil(limit / ofLaunch));
    std::printf("\"%s\": %.6g, ", name,
                updates * launches / runner.run(launches));
  };
  std::printf("{");
  measure("long", seconds);
  measure("short", shortSeconds);
  std::printf("\"steps\": %d, \"difference\": ", runner.getStepsOfLaunch());
  // JSON has no infinity.
  if (std::isfinite(difference))
    std::printf("%.3g}\n", difference);
  else
    std::printf("null}\n");
}
