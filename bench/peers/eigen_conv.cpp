// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of Eigen, as TensorFlow has them: patches of images, contracted with the weights without a copy of
// all of them. Forward, of one and two axes and one group; on its own thread pool.
#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/Tensor>

#include <memory>

#include "bench/peers/peer.hpp"

namespace tern::bench {
namespace {

struct threads_of_eigen {
  Eigen::ThreadPool pool;
  Eigen::ThreadPoolDevice device;
  explicit threads_of_eigen(int threads) : pool(threads), device(&pool, threads) {}
};

/// Indices of its tensors are counted from the fastest on: channels, width, height, samples.
prepared convolution(const problem& p, const operands& x, const setting& s) {
  using Eigen::Tensor;
  using Eigen::TensorMap;
  const conv_shape& c = p.conv->shape;
  const window_axis h = c.axis[1], w = c.axis[2];
  const auto behind = [](const window_axis& a) {
    const index_t missing = (a.out - 1) * a.stride + a.reach() - a.pad - a.in;
    return missing > 0 ? missing : 0;
  };
  const TensorMap<Tensor<const float, 4>> images(x.left<float>(), c.in, w.in, h.in, c.batch);
  const index_t sums = c.in * w.kernel * h.kernel, pixels = w.out * h.out * c.batch;
  const TensorMap<Tensor<const float, 2>> weights(x.right<float>(), c.out, sums);
  const TensorMap<Tensor<float, 2>> results(x.out<float>(), c.out, pixels);
  const auto threads = s.threads > 1 ? std::make_shared<threads_of_eigen>(s.threads) : nullptr;
  return repeated([=, w_end = behind(w), h_end = behind(h)] {
    const Eigen::array<Eigen::IndexPair<Eigen::Index>, 1> summed{Eigen::IndexPair<Eigen::Index>(1, 0)};
    const auto patches = images
                             .extract_image_patches(w.kernel, h.kernel, w.stride, h.stride, w.dilation, h.dilation, 1,
                                                    1, w.pad, w_end, h.pad, h_end, 0.0f)
                             .reshape(Eigen::array<Eigen::Index, 2>{sums, pixels});
    TensorMap<Tensor<float, 2>> to = results;
    if (threads)
      to.device(threads->device) = weights.contract(patches, summed);
    else
      to = weights.contract(patches, summed);
  });
}

const at_start add(TERN_BENCH_NAME, [] {
  add_conv_peer(
      "plain", "eigen",
      [](const problem& p, const setting&) {
        return !p.f64 && p.direction == pass::forward && p.conv->rank < 3 && !p.conv->transposed &&
               p.conv->shape.groups == 1;
      },
      [](const problem& p, const operands& x, const setting& s) { return convolution(p, x, s); });
});

}  // namespace
}  // namespace tern::bench
