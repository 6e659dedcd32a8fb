//===- TensorBasis.cpp - Bases of the vectors of a tensor -----------------===//

#include "TensorBasis.h"

#include <Eigen/QR>
#include <Eigen/SVD>

using namespace stencil;

using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

int64_t Tensor::getStride(int64_t axis) const {
  int64_t stride = 1;
  for (size_t i = axis + 1; i < shape.size(); ++i)
    stride *= shape[i];
  return stride;
}

AxisBasis AxisBasis::getIdentity(int64_t extent) {
  AxisBasis basis;
  for (int64_t i = 0; i < extent; ++i) {
    basis.vectors.emplace_back(extent, 0.0L)[i] = 1;
    basis.pivots.push_back(i);
  }
  return basis;
}

/// The vectors along an axis as the rows of a matrix.
static Matrix unfold(const Tensor &tensor, int64_t axis) {
  int64_t extent = tensor.shape[axis], stride = tensor.getStride(axis);
  int64_t size = tensor.values.size();
  Matrix rows(size / extent, extent);
  for (int64_t i = 0; i < size; ++i)
    rows(i / (stride * extent) * stride + i % stride, i / stride % extent) =
        tensor.values[i];
  return rows;
}

static void foldBack(Tensor &tensor, int64_t axis, const Matrix &rows) {
  int64_t extent = tensor.shape[axis], stride = tensor.getStride(axis);
  for (int64_t i = 0, size = tensor.values.size(); i < size; ++i)
    tensor.values[i] =
        rows(i / (stride * extent) * stride + i % stride, i / stride % extent);
}

/// Reduced row echelon form. The leftmost columns that are not small become
/// pivots: of a symmetric space, one side.
static AxisBasis getEchelonForm(Matrix rows) {
  constexpr long double small = 0.01L;
  AxisBasis basis;
  Eigen::Index next = 0;
  for (Eigen::Index column = 0; column < rows.cols() && next < rows.rows();
       ++column) {
    Eigen::Index pivot = next;
    for (Eigen::Index row = next; row < rows.rows(); ++row)
      if (std::abs(rows(row, column)) > std::abs(rows(pivot, column)))
        pivot = row;
    // What is right of here has to provide the remaining pivots.
    long double largest =
        rows.bottomRows(rows.rows() - next).cwiseAbs().maxCoeff();
    bool isNeeded = rows.cols() - column == rows.rows() - next;
    if (std::abs(rows(pivot, column)) <= small * largest && !isNeeded)
      continue;
    rows.row(pivot).swap(rows.row(next));
    rows.row(next) /= rows(next, column);
    for (Eigen::Index row = 0; row < rows.rows(); ++row)
      if (row != next)
        rows.row(row) -= rows(row, column) * rows.row(next).eval();
    basis.pivots.push_back(column);
    ++next;
  }
  for (Eigen::Index row = 0; row < next; ++row)
    basis.vectors.emplace_back(rows.row(row).begin(), rows.row(row).end());
  return basis;
}

AxisBasis stencil::findBasis(Tensor &tensor, int64_t axis,
                             long double tolerance, int64_t rank) {
  int64_t extent = tensor.shape[axis];
  Matrix rows = unfold(tensor, axis);
  // The singular values of R are those of the rows.
  Matrix triangle = rows;
  if (rows.rows() > rows.cols()) {
    Eigen::HouseholderQR<Matrix> qr(rows);
    triangle =
        qr.matrixQR().topRows(extent).template triangularView<Eigen::Upper>();
  }
  Eigen::JacobiSVD<Matrix> svd(triangle, Eigen::ComputeFullV);
  const auto &values = svd.singularValues();
  long double norm = values.norm(), left = 0;
  int64_t kept = values.size();
  while (kept > 1) {
    left = std::hypot(left, values(kept - 1));
    if (left > tolerance * norm)
      break;
    --kept;
  }
  if (rank > 0)
    kept = std::min(kept, rank);
  if (kept >= extent)
    return AxisBasis::getIdentity(extent);
  Matrix span = svd.matrixV().leftCols(kept);
  foldBack(tensor, axis, rows * span * span.transpose());
  return getEchelonForm(span.transpose());
}
