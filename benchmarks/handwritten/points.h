// The value of each kernel at a point. Made by benchmarks/generate.py.
// clang-format off
#pragma once
#include <cstddef>

using Stride = std::ptrdiff_t;

struct conv_heat1d {
  static constexpr int rank = 1, radius = 1;
  [[gnu::always_inline]] static double at(const double *p, Stride, Stride) {
    double r = 0.38229791 * p[0];
    r += 0.30884604 * (p[-1] + p[1]);
    return r;
  }
};

struct conv_1d5p {
  static constexpr int rank = 1, radius = 2;
  [[gnu::always_inline]] static double at(const double *p, Stride, Stride) {
    double r = 0.24481395 * p[-2];
    r += 0.19777722 * p[-1];
    r += 0.1507405 * p[0];
    r += 0.22684752 * p[1];
    r += 0.17981079 * p[2];
    return r;
  }
};

struct conv_heat2d {
  static constexpr int rank = 2, radius = 1;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride) {
    double r = 0.23632213 * p[0];
    r += 0.19091696 * (p[-y] + p[-1] + p[1] + p[y]);
    return r;
  }
};

struct conv_box2d9p {
  static constexpr int rank = 2, radius = 1;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride) {
    double r = 0.14057985 * p[-y - 1];
    r += 0.11356988 * p[-y];
    r += 0.08655992 * p[-y + 1];
    r += 0.13026296 * p[-1];
    r += 0.10325299 * p[0];
    r += 0.07624303 * p[1];
    r += 0.11994607 * p[y - 1];
    r += 0.09293611 * p[y];
    r += 0.13663915 * p[y + 1];
    return r;
  }
};

struct conv_star2d13p {
  static constexpr int rank = 2, radius = 3;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride) {
    double r = 0.09914741 * p[-3 * y];
    r += 0.08009797 * p[-2 * y];
    r += 0.06104852 * p[-y];
    r += 0.09187117 * p[-3];
    r += 0.07282173 * p[-2];
    r += 0.05377228 * p[-1];
    r += 0.08459493 * p[0];
    r += 0.06554549 * p[1];
    r += 0.09636814 * p[2];
    r += 0.07731869 * p[3];
    r += 0.05826925 * p[y];
    r += 0.0890919 * p[2 * y];
    r += 0.07004245 * p[3 * y];
    return r;
  }
};

struct conv_box2d49p {
  static constexpr int rank = 2, radius = 3;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride) {
    double r = 0.02715063 * p[-3 * y - 3];
    r += 0.02193411 * p[-3 * y - 2];
    r += 0.01671759 * p[-3 * y - 1];
    r += 0.0251581 * p[-3 * y];
    r += 0.01994158 * p[-3 * y + 1];
    r += 0.01472506 * p[-3 * y + 2];
    r += 0.02316557 * p[-3 * y + 3];
    r += 0.01794904 * p[-2 * y - 3];
    r += 0.02638955 * p[-2 * y - 2];
    r += 0.02117303 * p[-2 * y - 1];
    r += 0.01595651 * p[-2 * y];
    r += 0.02439702 * p[-2 * y + 1];
    r += 0.0191805 * p[-2 * y + 2];
    r += 0.01396398 * p[-2 * y + 3];
    r += 0.02240449 * p[-y - 3];
    r += 0.01718796 * p[-y - 2];
    r += 0.02562847 * p[-y - 1];
    r += 0.02041195 * p[-y];
    r += 0.01519543 * p[-y + 1];
    r += 0.02363594 * p[-y + 2];
    r += 0.01841942 * p[-y + 3];
    r += 0.02685993 * p[-3];
    r += 0.02164341 * p[-2];
    r += 0.01642688 * p[-1];
    r += 0.02486739 * p[0];
    r += 0.01965087 * p[1];
    r += 0.01443435 * p[2];
    r += 0.02287486 * p[3];
    r += 0.01765834 * p[y - 3];
    r += 0.02609885 * p[y - 2];
    r += 0.02088232 * p[y - 1];
    r += 0.0156658 * p[y];
    r += 0.02410631 * p[y + 1];
    r += 0.01888979 * p[y + 2];
    r += 0.01367327 * p[y + 3];
    r += 0.02211378 * p[2 * y - 3];
    r += 0.01689726 * p[2 * y - 2];
    r += 0.02533777 * p[2 * y - 1];
    r += 0.02012124 * p[2 * y];
    r += 0.01490472 * p[2 * y + 1];
    r += 0.02334523 * p[2 * y + 2];
    r += 0.01812871 * p[2 * y + 3];
    r += 0.02656922 * p[3 * y - 3];
    r += 0.0213527 * p[3 * y - 2];
    r += 0.01613618 * p[3 * y - 1];
    r += 0.02457669 * p[3 * y];
    r += 0.01936016 * p[3 * y + 1];
    r += 0.01414364 * p[3 * y + 2];
    r += 0.02258415 * p[3 * y + 3];
    return r;
  }
};

struct conv_heat3d {
  static constexpr int rank = 3, radius = 1;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride z) {
    double r = 0.17102017 * p[0];
    r += 0.13816163 * (p[-z] + p[-y] + p[-1] + p[1] + p[y] + p[z]);
    return r;
  }
};

struct conv_box3d27p {
  static constexpr int rank = 3, radius = 1;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride z) {
    double r = 0.0489576 * p[-z - y - 1];
    r += 0.03955125 * p[-z - y];
    r += 0.0301449 * p[-z - y + 1];
    r += 0.0453647 * p[-z - 1];
    r += 0.03595835 * p[-z];
    r += 0.026552 * p[-z + 1];
    r += 0.04177179 * p[-z + y - 1];
    r += 0.03236544 * p[-z + y];
    r += 0.04758523 * p[-z + y + 1];
    r += 0.03817889 * p[-y - 1];
    r += 0.02877254 * p[-y];
    r += 0.04399233 * p[-y + 1];
    r += 0.03458598 * p[-1];
    r += 0.02517963 * p[0];
    r += 0.04039942 * p[1];
    r += 0.03099307 * p[y - 1];
    r += 0.04621287 * p[y];
    r += 0.03680652 * p[y + 1];
    r += 0.02740017 * p[z - y - 1];
    r += 0.04261996 * p[z - y];
    r += 0.03321361 * p[z - y + 1];
    r += 0.0484334 * p[z - 1];
    r += 0.03902706 * p[z];
    r += 0.02962071 * p[z + 1];
    r += 0.0448405 * p[z + y - 1];
    r += 0.03543415 * p[z + y];
    r += 0.0260278 * p[z + y + 1];
    return r;
  }
};

struct brick_star7p {
  static constexpr int rank = 3, radius = 1;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride z) {
    double r = 0.17102017 * p[0];
    r += 0.13816163 * (p[-z] + p[-y] + p[-1] + p[1] + p[y] + p[z]);
    return r;
  }
};

struct brick_star13p {
  static constexpr int rank = 3, radius = 2;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride z) {
    double r = 0.10480301 * p[0];
    r += 0.08466694 * (p[-z] + p[-y] + p[-1] + p[1] + p[y] + p[z]);
    r += 0.06453088 * (p[-2 * z] + p[-2 * y] + p[-2] + p[2] + p[2 * y]
        + p[2 * z]);
    return r;
  }
};

struct brick_star19p {
  static constexpr int rank = 3, radius = 3;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride z) {
    double r = 0.06621886 * p[0];
    r += 0.05349606 * (p[-z] + p[-y] + p[-1] + p[1] + p[y] + p[z]);
    r += 0.04077326 * (p[-2 * z] + p[-2 * y] + p[-2] + p[2] + p[2 * y]
        + p[2 * z]);
    r += 0.06135918 * (p[-3 * z] + p[-3 * y] + p[-3] + p[3] + p[3 * y]
        + p[3 * z]);
    return r;
  }
};

struct brick_star25p {
  static constexpr int rank = 3, radius = 4;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride z) {
    double r = 0.05126008 * p[0];
    r += 0.04141135 * (p[-z] + p[-y] + p[-1] + p[1] + p[y] + p[z]);
    r += 0.03156262 * (p[-2 * z] + p[-2 * y] + p[-2] + p[2] + p[2 * y]
        + p[2 * z]);
    r += 0.0474982 * (p[-3 * z] + p[-3 * y] + p[-3] + p[3] + p[3 * y]
        + p[3 * z]);
    r += 0.03764947 * (p[-4 * z] + p[-4 * y] + p[-4] + p[4] + p[4 * y]
        + p[4 * z]);
    return r;
  }
};

struct brick_cube27p {
  static constexpr int rank = 3, radius = 1;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride z) {
    double r = 0.0484282 * p[0];
    r += 0.03912356 * (p[-z] + p[-y] + p[-1] + p[1] + p[y] + p[z]);
    r += 0.02981893 * (p[-z - y] + p[-z - 1] + p[-z + 1] + p[-z + y]
        + p[-y - 1] + p[-y + 1] + p[y - 1] + p[y + 1] + p[z - y] + p[z - 1]
        + p[z + 1] + p[z + y]);
    r += 0.04487414 * (p[-z - y - 1] + p[-z - y + 1] + p[-z + y - 1]
        + p[-z + y + 1] + p[z - y - 1] + p[z - y + 1] + p[z + y - 1]
        + p[z + y + 1]);
    return r;
  }
};

struct brick_cube125p {
  static constexpr int rank = 3, radius = 2;
  [[gnu::always_inline]] static double at(const double *p, Stride y, Stride z) {
    double r = 0.01030338 * p[0];
    r += 0.00832376 * (p[-z] + p[-y] + p[-1] + p[1] + p[y] + p[z]);
    r += 0.00634415 * (p[-2 * z] + p[-2 * y] + p[-2] + p[2] + p[2 * y]
        + p[2 * z]);
    r += 0.00954723 * (p[-z - y] + p[-z - 1] + p[-z + 1] + p[-z + y]
        + p[-y - 1] + p[-y + 1] + p[y - 1] + p[y + 1] + p[z - y] + p[z - 1]
        + p[z + 1] + p[z + y]);
    r += 0.00756762 * (p[-2 * z - y] + p[-2 * z - 1] + p[-2 * z + 1]
        + p[-2 * z + y] + p[-z - 2 * y] + p[-z - 2] + p[-z + 2] + p[-z + 2 * y]
        + p[-2 * y - 1] + p[-2 * y + 1] + p[-y - 2] + p[-y + 2] + p[y - 2]
        + p[y + 2] + p[2 * y - 1] + p[2 * y + 1] + p[z - 2 * y] + p[z - 2]
        + p[z + 2] + p[z + 2 * y] + p[2 * z - y] + p[2 * z - 1] + p[2 * z + 1]
        + p[2 * z + y]);
    r += 0.005588 * (p[-2 * z - 2 * y] + p[-2 * z - 2] + p[-2 * z + 2]
        + p[-2 * z + 2 * y] + p[-2 * y - 2] + p[-2 * y + 2] + p[2 * y - 2]
        + p[2 * y + 2] + p[2 * z - 2 * y] + p[2 * z - 2] + p[2 * z + 2]
        + p[2 * z + 2 * y]);
    r += 0.00879109 * (p[-z - y - 1] + p[-z - y + 1] + p[-z + y - 1]
        + p[-z + y + 1] + p[z - y - 1] + p[z - y + 1] + p[z + y - 1]
        + p[z + y + 1]);
    r += 0.00681147 * (p[-2 * z - y - 1] + p[-2 * z - y + 1]
        + p[-2 * z + y - 1] + p[-2 * z + y + 1] + p[-z - 2 * y - 1]
        + p[-z - 2 * y + 1] + p[-z - y - 2] + p[-z - y + 2] + p[-z + y - 2]
        + p[-z + y + 2] + p[-z + 2 * y - 1] + p[-z + 2 * y + 1]
        + p[z - 2 * y - 1] + p[z - 2 * y + 1] + p[z - y - 2] + p[z - y + 2]
        + p[z + y - 2] + p[z + y + 2] + p[z + 2 * y - 1] + p[z + 2 * y + 1]
        + p[2 * z - y - 1] + p[2 * z - y + 1] + p[2 * z + y - 1]
        + p[2 * z + y + 1]);
    r += 0.01001456 * (p[-2 * z - 2 * y - 1] + p[-2 * z - 2 * y + 1]
        + p[-2 * z - y - 2] + p[-2 * z - y + 2] + p[-2 * z + y - 2]
        + p[-2 * z + y + 2] + p[-2 * z + 2 * y - 1] + p[-2 * z + 2 * y + 1]
        + p[-z - 2 * y - 2] + p[-z - 2 * y + 2] + p[-z + 2 * y - 2]
        + p[-z + 2 * y + 2] + p[z - 2 * y - 2] + p[z - 2 * y + 2]
        + p[z + 2 * y - 2] + p[z + 2 * y + 2] + p[2 * z - 2 * y - 1]
        + p[2 * z - 2 * y + 1] + p[2 * z - y - 2] + p[2 * z - y + 2]
        + p[2 * z + y - 2] + p[2 * z + y + 2] + p[2 * z + 2 * y - 1]
        + p[2 * z + 2 * y + 1]);
    r += 0.00803494 * (p[-2 * z - 2 * y - 2] + p[-2 * z - 2 * y + 2]
        + p[-2 * z + 2 * y - 2] + p[-2 * z + 2 * y + 2] + p[2 * z - 2 * y - 2]
        + p[2 * z - 2 * y + 2] + p[2 * z + 2 * y - 2] + p[2 * z + 2 * y + 2]);
    return r;
  }
};

#define FOR_EACH_KERNEL(X) \
  X(conv_heat1d) \
  X(conv_1d5p) \
  X(conv_heat2d) \
  X(conv_box2d9p) \
  X(conv_star2d13p) \
  X(conv_box2d49p) \
  X(conv_heat3d) \
  X(conv_box3d27p) \
  X(brick_star7p) \
  X(brick_star13p) \
  X(brick_star19p) \
  X(brick_star25p) \
  X(brick_cube27p) \
  X(brick_cube125p)
