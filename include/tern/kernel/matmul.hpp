// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of matmul: forward, data gradient, weight and bias gradient, each callable alone.
#pragma once

#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/core/workspace.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/kernels.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/operands.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/op/matmul.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

/// Base of a matmul's passes: matrices in row, column or strided layouts, and the contractions that they form.
template <matmul_config C, class T>
struct matmul_matrices {
  using value_type = T;
  using required = options<>;
  using optional = options<accumulate_t, workspace>;
  template <class Policy>
  using kernel = contraction_kernel<Policy>;

  static constexpr bool batched = C.batch != 1;
  static constexpr const char *m_k = batched ? "batch m k" : "m k", *k_n = batched ? "batch k n" : "k n",
                              *m_n = batched ? "batch m n" : "m n";
  /// Batched weights are not packed: only rows of one matrix share its weights.
  static constexpr tensor right = batched ? in("b", k_n) : in("b", k_n).or_packed();

  template <class... Tensor>
  static constexpr declaration taking(const char* pass, const Tensor&... all) {
    return declaration(pass, 0, 0, all.with_strides()...)
        .where("m", C.m, ".m")
        .where("n", C.n, ".n")
        .where("k", C.k, ".k")
        .where("batch", C.batch, ".batch");
  }
  template <class U, class View>
  TERN_INLINE static operand<U> matrix(const View& v) {
    constexpr int r = batched ? 1 : 0;
    return {v.data(), v.stride(r), v.stride(r + 1), batched ? v.stride(0) : 0};
  }
  /// A vector of n elements as a row broadcast to all rows of the output.
  template <class U, class View>
  TERN_INLINE static operand<U> row(const View& v) {
    return {v.data(), 0, v.stride(0), 0};
  }

  /// Strides of a matrix as far as the config and the layout of its view tell; `dynamic` otherwise.
  struct strides {
    index_t row, column;
    constexpr strides turned(bool so) const { return so ? strides{column, row} : *this; }
  };
  template <class View>
  static constexpr strides strides_of(index_t rows, index_t columns) {
    using layout = typename View::layout_type;
    if (std::is_same_v<layout, layout_row> || is_packed_view<View>) return {columns, 1};
    if (std::is_same_v<layout, layout_transposed> || (std::is_same_v<layout, layout_column> && !batched))
      return {1, rows};
    return {dynamic, dynamic};
  }

  /// The plan of a contraction. Under mimd it depends on the epilogue and the chunk.
  template <class Kernels, epilogue After, index_t Chunk, class... How>
  static constexpr plan plan_for(index_t m, index_t n, index_t k, index_t batch, How... how) {
    if constexpr (requires { Kernels::template plan_for<T, After, Chunk>(m, n, k, batch, how...); })
      return Kernels::template plan_for<T, After, Chunk>(m, n, k, batch, how...);
    else
      return Kernels::template plan_for<T>(m, n, k, batch, how...);
  }
  /// The plan of a call; if it has several problems, that of its weight gradient.
  template <class Kernels, class Problem, class... How>
  static plan plan_of(const Problem& q, How... how) {
    if constexpr (requires { q.weights; })
      return plan_of<Kernels>(q.weights, how...);
    else
      return plan_for<Kernels, Problem::after, Problem::chunk>(q.m, q.n, q.k, q.batch, how...);
  }

  /// The operands of a pass: transposed or not, with sums over k in chains of `chunk`.
  struct form {
    index_t m, n, k, chunk = dot_chunk;
    bool a_turned = false, b_turned = false;
  };
  /// y = a b, without the epilogue. Sizes that the config fixes are constants.
  template <form F, epilogue After, class A, class B, class Y>
  TERN_INLINE static auto product(const A& a, const B& b, const Y& y) {
    constexpr strides sa = strides_of<A>(F.a_turned ? F.k : F.m, F.a_turned ? F.m : F.k).turned(F.a_turned),
                      sb = strides_of<B>(F.b_turned ? F.n : F.k, F.b_turned ? F.k : F.n).turned(F.b_turned),
                      sy = strides_of<Y>(F.m, F.n);
    constexpr weights w = !is_packed_view<B> ? weights::strided
                          : F.b_turned       ? weights::packed_transposed
                                             : weights::packed;
    contraction<T, After,
                contraction_shape{F.chunk, w, F.m, F.n, F.k, sa.row, sa.column, sb.row, sb.column, sy.row, sy.column,
                                  C.batch}>
        q;
    const auto size = [](index_t known, index_t given) { return known == dynamic ? given : known; };
    constexpr int r = batched ? 1 : 0;
    q.m = size(F.m, y.extent(r)), q.n = size(F.n, y.extent(r + 1)), q.k = size(F.k, a.extent(F.a_turned ? r : r + 1));
    if constexpr (batched) q.batch = size(C.batch, y.extent(0));
    q.a = F.a_turned ? matrix<const T>(a).transposed() : matrix<const T>(a);
    if constexpr (is_packed_view<B>)
      q.packed = b.data();
    else
      q.b = F.b_turned ? matrix<const T>(b).transposed() : matrix<const T>(b);
    q.c = matrix<T>(y);
    return q;
  }
};

template <matmul_config C, class T>
struct matmul_pass : matmul_matrices<C, T> {
  using matrices = matmul_matrices<C, T>;
  static constexpr declaration declared = matrices::taking(
      "", in("a", matrices::m_k), matrices::right, in("bias", "n").or_number().when(C.bias, ".bias"),
      in("residual", matrices::m_n).when(C.residual, ".residual"),
      in("slope", "n").or_number().when(C.act.takes_slope(), ".act", "prelu"), out("c", matrices::m_n));

  template <bool Add, class A, class B, class... More>
  TERN_INLINE static auto problem(const char*, const A& a, const B& b, const More&... more) {
    constexpr typename matrices::form form{C.m, C.n, C.k};
    constexpr int residual = C.bias ? 1 : 0, slope = residual + (C.residual ? 1 : 0);
    auto q = matrices::template product<form, epilogue{Add, C.bias, C.residual, C.act}>(
        a, b, impl::nth_tensor<sizeof...(More) - 1>(more...));
    if constexpr (C.bias) q.with.bias = matrices::template row<const T>(impl::nth_tensor<0>(more...));
    if constexpr (C.residual) q.with.residual = matrices::template matrix<const T>(impl::nth_tensor<residual>(more...));
    if constexpr (C.act.takes_slope()) q.with.slope = matrices::template row<const T>(impl::nth_tensor<slope>(more...));
    return q;
  }
};

template <matmul_config C, class T>
struct matmul_gradient_pass : matmul_matrices<C, T> {
  using matrices = matmul_matrices<C, T>;
  static constexpr declaration declared =
      matrices::taking("backward_data", in("dy", matrices::m_n), matrices::right, out("dx", matrices::m_k));

  template <bool Add, class Dy, class B, class Dx>
  TERN_INLINE static auto problem(const char*, const Dy& dy, const B& b, const Dx& dx) {
    constexpr typename matrices::form form{.m = C.m, .n = C.k, .k = C.n, .b_turned = true};
    return matrices::template product<form, epilogue{Add}>(dy, b, dx);
  }
};

/// The gradients of weights and, on demand, of the bias: two contractions, one after the other.
template <class Weights, class Bias>
struct matmul_gradients {
  Weights weights;
  Bias bias;  ///< of the first batch item, without the constant 1 that multiplies the rows
};
template <class Policy>
struct matmul_gradients_kernel : contraction_kernel<Policy> {
  using contractions = contraction_kernel<Policy>;

  template <class State, class Weights, class T, epilogue After, contraction_shape S>
  static void run(State&& state, matmul_gradients<Weights, contraction<T, After, S>> q, workspace memory = {}) {
    const T one(1);  // a sum is a product with ones: an fma with 1 rounds like an addition
    auto& sum = q.bias;
    sum.a = {&one, 0, 0, 0};
    impl::check_fit<contractions>(state, sum);
    contractions::run(state, q.weights, memory);
    contractions::run(state, sum);
    for (index_t item = 1; item < q.weights.batch; ++item) {  // in turn onto the same output
      contraction<T, epilogue{.accumulate = true}, S> next;
      next.m = 1, next.n = sum.n, next.k = sum.k;
      next.a = sum.a, next.b = sum.b.item(item), next.c = sum.c;
      contractions::run(state, next);
    }
  }
};

/// \tparam Bias  true if the call has a bias gradient
template <matmul_config C, class T, bool Bias>
struct matmul_weights_pass : matmul_matrices<C, T> {
  using matrices = matmul_matrices<C, T>;
  template <class Policy>
  using kernel = std::conditional_t<Bias, matmul_gradients_kernel<Policy>, contraction_kernel<Policy>>;
  static constexpr declaration declared =
      matrices::taking("backward_weights", in("a", matrices::m_k), in("dy", matrices::m_n), out("db", matrices::k_n),
                       out("dbias", "n").if_given(Bias));

  template <bool Add, class A, class Dy, class Db, class... Dbias>
  TERN_INLINE static auto problem(const char*, const A& a, const Dy& dy, const Db& db, const Dbias&... dbias) {
    constexpr typename matrices::form form{.m = C.k, .n = C.n, .k = C.m, .chunk = sample_grain, .a_turned = true};
    auto weights = matrices::template product<form, epilogue{Add}>(a, dy, db);
    if constexpr (Bias) {
      using sum = contraction<T, epilogue{Add}, contraction_shape{.chunk = sample_grain, .sums_b = true}>;
      matmul_gradients<decltype(weights), sum> q{weights, {}};
      q.bias.m = 1, q.bias.n = weights.n, q.bias.k = weights.batch == 0 ? 0 : weights.k;
      q.bias.b = weights.b, q.bias.c = matrices::template row<T>(dbias...);
      return q;
    } else {
      return weights;
    }
  }
};

/// The weights to be packed.
template <matmul_config C, class T>
struct matmul_packing : matmul_matrices<C, T> {
  using matrices = matmul_matrices<C, T>;
  using optional = options<>;
  static constexpr declaration declared = matrices::taking("pack", in("b", "k n"));
  static constexpr void validate(sentence& s, const char* op, const fact*) {
    if (matrices::batched) s << op << ": pack needs .batch = 1: weights are shared by all rows";
  }
};

}  // namespace declare

template <matmul_config C, class T, class Acc, class Op, class Policy>
struct operations<matmul<C, T, Acc>, Op, Policy> : declare::prepared_operations<Op, Policy> {
  static constexpr declare::text of_op{declare::error_of_op<Op, Policy, declare::matmul_pass<C, T>>()};
  static_assert(sizeof(declare::wrong_call<of_op>) == 1);

  using value_type = T;
  using packed_type = packed<Op, Policy>;

  /// c = act(a b + bias + residual).
  ///
  ///     k([state,] a, b, [bias,] [residual,] [slope,] c [, tern::accumulate] [, tern::workspace])
  ///
  /// \param a         (m, k), or (batch, m, k)
  /// \param b         (k, n), or (batch, k, n), or the result of `pack`
  /// \param bias      n elements, or one number (not under simt); given exactly if `.bias` is set
  /// \param residual  shape of c; given exactly if `.residual` is set
  /// \param slope     n elements, or one number; given exactly if `.act` is prelu
  /// \param c         (m, n), or (batch, m, n); may share no element with an input
  /// With tern::accumulate the sum starts from the old value of c. Throws std::invalid_argument, before anything is
  /// written, if shapes disagree, a view is null, c shares elements with another tensor, or a workspace or tiles are
  /// too small. Cost: m n k multiply-adds. Canonical order: docs/numerics.md, rules 1 and 4.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::matmul_pass<C, T>>(args...);
  }

  /// dx = dy b^T: the gradient of the loss with respect to a.
  ///
  ///     k.backward_data([state,] dy, b, dx [, tern::accumulate] [, tern::workspace])
  ///
  /// \param dy  shape of c: the gradient with respect to a b + bias + residual, that is, after undoing the activation;
  ///            it is also the gradient of the residual
  /// \param b   as in the forward pass, packed or not
  /// \param dx  shape of a
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::matmul_gradient_pass<C, T>>(args...);
  }

  /// db = a^T dy; on demand dbias = the sum of the rows of dy.
  ///
  ///     k.backward_weights([state,] a, dy, db [, dbias] [, tern::accumulate] [, tern::workspace])
  ///
  /// \param db     shape of b
  /// \param dbias  n elements
  /// Rows are samples: sums run over m in grains of 32 (docs/numerics.md, rule 2). Accumulating a batch cut at
  /// multiples of 32 rows gives the bits of the whole. dbias is summed over all batch items.
  template <class... Args>
  void backward_weights(Args&&... args) const {
    declare::run<Op, Policy, declare::matmul_weights_pass<C, T, impl::tensor_count<Args...> == 4>>(args...);
  }

  using declare::prepared_operations<Op, Policy>::prepare;
  /// Prepares a call of these sizes: row-major matrices, no options.
  ///
  ///     const auto multiply = k.prepare({.m = 8, .n = 8, .k = 8});
  template <class State>
  static auto prepare(State& state, matmul_sizes s) {
    return prepare_sized(resolved(s), state);
  }
  static auto prepare(matmul_sizes s = {}) { return prepare_sized(resolved(s)); }

  /// The plan of a call of these sizes; sizes in the config may be omitted. `how` are further arguments of the model's
  /// plan_for: the concurrency of the executor under simd.
  ///
  ///     constexpr tern::plan p = decltype(k)::plan({.m = 128});      std::cout << p;
  template <class... How>
  static constexpr tern::plan plan(matmul_sizes s = {}, How... how) {
    const matmul_sizes z = resolved(s);
    constexpr epilogue after{.bias = C.bias, .residual = C.residual, .act = C.act};
    using matrices = declare::matmul_matrices<C, T>;
    tern::plan p =
        matrices::template plan_for<contraction_kernel<Policy>, after, dot_chunk>(z.m, z.n, z.k, z.batch, how...);
    p.op = Op::name;
    return p;
  }

  /// Run-time state for calls of these sizes, to be passed as their first argument. Under mimd a tern::tile_machine
  /// with room for every pass, which allocates; the default state under the other policies. `how` are further arguments
  /// of the model's make_state.
  ///
  ///     auto state = k.make_state({.m = 128});      k(state, a, b, c);
  template <class... How>
  static auto make_state(matmul_sizes s = {}, How&&... how) {
    using family = contraction_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "matmul: make_state takes sizes only under this policy");
      return typename family::context{};
    } else {
      const matmul_sizes z = resolved(s);
      return family::template make_state<T>(z.m, z.n, z.k, z.batch, how...);
    }
  }

  /// Workspace in bytes with which a call of these sizes with unpacked weights is fastest.
  template <class... How>
  static constexpr index_t workspace_bytes(matmul_sizes s = {}, How... how) {
    return plan(s, how...).workspace_bytes;
  }

  /// Elements of packed weights of k x n.
  static constexpr index_t packed_size(index_t k, index_t n) {
    return contraction_kernel<Policy>::template packed_size<T>(k, n);
  }

  /// Arranges b of shape (k, n) for the calls of this kernel, once. Allocates packed_size(k, n) elements.
  template <class B>
  packed_type pack(const B& b) const {
    const auto w = weights_to_pack(b);
    packed_type result(w.extent(0), w.extent(1), packed_size(w.extent(0), w.extent(1)));
    pack_into(w, result.owned_);
    return result;
  }

  /// Packs into memory of the caller: at least packed_size(k, n) elements, alive as long as the result.
  template <class B, class Memory>
  packed_type pack(const B& b, Memory&& memory) const {
    const auto w = weights_to_pack(b);
    const index_t size = packed_size(w.extent(0), w.extent(1));
    T* const to = impl::memory_to_pack_into<T>(Op::name, memory, size);
    if (declare::range_of(w).meets(declare::range_of(view(unchecked, static_cast<const T*>(to), dims<1>(size)))))
      violation("%s: the memory to pack into shares elements with b (%s)", Op::name, impl::text_of(w).text);
    pack_into(w, to);
    return packed_type(w.extent(0), w.extent(1), size, to);
  }

 private:
  template <class... State>
  static auto prepare_sized(const matmul_sizes& z, State&... state) {
    using pass = declare::matmul_pass<C, T>;
    const auto tensor = [&]<int I>(std::integral_constant<int, I>) {
      constexpr declare::tensor t = pass::declared[I];
      constexpr int rank = declare::declaration::rank_beside(t.shape, t.shape, 0);
      index_t extent[rank];
      for (int r = 0; r < rank; ++r) {
        const char axis = *declare::declaration::name_of(t.shape, rank, r).name.text;
        extent[r] = axis == 'm' ? z.m : axis == 'n' ? z.n : axis == 'k' ? z.k : z.batch;
      }
      using element = std::conditional_t<t.is == declare::role::input, const T, T>;
      return [&]<std::size_t... R>(std::index_sequence<R...>) {
        return view<element, dims<rank>>(unchecked, nullptr, dims<rank>(extent[R]...));
      }(std::make_index_sequence<rank>{});
    };
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return prepare(state..., tensor(std::integral_constant<int, I>{})...);
    }(std::make_integer_sequence<int, pass::declared.given()>{});
  }

  /// The sizes of a call, from the config and the arguments.
  static constexpr matmul_sizes resolved(matmul_sizes s) {
    const auto size = [](index_t known, index_t given, const char* field) {
      if (known == dynamic && given == dynamic)
        violation("matmul: %s is dynamic: give it, as in plan({%s = 64})", field, field);
      if (known == dynamic && given < 0) violation("matmul: %s is %td: it must be at least 0", field, given);
      if (known != dynamic && given != dynamic && given != known)
        violation("matmul: %s is given as %td where the config says %td", field, given, known);
      return known == dynamic ? given : known;
    };
    const matmul_sizes z{size(C.m, s.m, ".m"), size(C.n, s.n, ".n"), size(C.k, s.k, ".k"),
                         size(C.batch, s.batch, ".batch")};
    const auto elements = [&z](index_t rows, index_t columns) {
      return static_cast<double>(z.batch) * static_cast<double>(rows) * static_cast<double>(columns);
    };
    constexpr double most = 0x1p54 / sizeof(T);  // packed, a matrix may take several times its size
    if (elements(z.m, z.k) > most || elements(z.k, z.n) > most || elements(z.m, z.n) > most)
      violation("matmul: .m=%td .n=%td .k=%td .batch=%td: no memory holds such matrices", z.m, z.n, z.k, z.batch);
    return z;
  }

  template <class B>
  static auto weights_to_pack(const B& b) {
    return declare::checked_view<Op, Policy, declare::matmul_packing<C, T>>(b);
  }
  template <class W>
  static void pack_into(const W& w, T* to) {
    const operand<const T> from{w.data(), w.stride(0), w.stride(1)};
    contraction_kernel<Policy>::pack(from, w.extent(0), w.extent(1), to);
  }
};

}  // namespace tern::inline TERN_ISA
