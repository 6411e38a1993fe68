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
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/kernels.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/operands.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/op/matmul.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

template <matmul_config C, class T, class Acc, class Op, class Policy>
struct operations<matmul<C, T, Acc>, Op, Policy> {
  static_assert(
      requires { sizeof(contraction_kernel<Policy>); },
      "matmul: there is no kernel under this policy here: include tern/reference.hpp, tern/simd.hpp, "
      "tern/mimd.hpp or tern/simt.hpp");

  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "matmul: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;
  using packed_type = packed<Op, Policy>;

  /// c = act(a b + bias + residual).
  ///
  ///     k([state,] a, b, [bias,] [residual,] [slope,] c [, tern::accumulate] [, tern::workspace])
  ///
  /// \param a         (m, k), or (batch, m, k)
  /// \param b         (k, n), or (batch, k, n), or what `pack` returned
  /// \param bias      n elements; given exactly where `.bias` is set
  /// \param residual  shape of c; given exactly where `.residual` is set
  /// \param slope     n elements; given exactly where `.act` is prelu
  /// \param c         (m, n), or (batch, m, n); may share no element with an input
  /// With tern::accumulate the sum starts from what c holds. Throws std::invalid_argument, before anything is written,
  /// where shapes disagree, a view is null, c shares elements with another tensor, or a workspace or tiles are too
  /// small. Cost: m n k multiply-adds. Canonical order: docs/numerics.md, rules 1 and 4.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == c_at + 1 && impl::well_formed<Args...>;
    static_assert(
        right,
        "matmul: the call takes (a, b, bias, residual, slope, c), of which bias and residual are given exactly "
        "where .bias and .residual are set, and slope where .act is prelu");
    if constexpr (right) forward(impl::state_of<contraction_kernel<Policy>>(args...), args...);
  }

  /// dx = dy b^T: the gradient of the loss with respect to a.
  ///
  ///     k.backward_data([state,] dy, b, dx [, tern::accumulate] [, tern::workspace])
  ///
  /// \param dy  shape of c: the gradient after the epilogue's activation has been undone, that is, with respect to
  ///            a b + bias + residual (which is also the gradient of the residual)
  /// \param b   as in the forward pass, packed or not
  /// \param dx  shape of a
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 3 && impl::well_formed<Args...>;
    static_assert(right, "matmul: backward_data takes (dy, b, dx)");
    if constexpr (right) gradient_of_a(impl::state_of<contraction_kernel<Policy>>(args...), args...);
  }

  /// db = a^T dy and, where it is asked for, dbias = the sum of the rows of dy.
  ///
  ///     k.backward_weights([state,] a, dy, db [, dbias] [, tern::accumulate] [, tern::workspace])
  ///
  /// Rows are samples: sums run over m in grains of 32 (docs/numerics.md, rule 2), so a batch cut at multiples of 32
  /// rows and accumulated gives the bits of the whole. dbias has n elements, summed over all batch items.
  template <class... Args>
  void backward_weights(Args&&... args) const {
    constexpr int given = impl::tensor_count<Args...>;
    constexpr bool right =
        (given == 3 || given == 4) && impl::well_formed<Args...> && impl::packed_only_at<-1, Args...>;
    static_assert(right, "matmul: backward_weights takes (a, dy, db) or (a, dy, db, dbias)");
    if constexpr (right) gradient_of_b(impl::state_of<contraction_kernel<Policy>>(args...), args...);
  }

  /// How a call of these sizes will run; sizes that the config knows need not be given. `how` is what the model's
  /// plan_for takes besides: the concurrency of the executor under simd.
  ///
  ///     constexpr tern::plan p = decltype(k)::plan({.m = 128});      std::cout << p;
  template <class... How>
  static constexpr tern::plan plan(matmul_sizes s = {}, How... how) {
    const matmul_sizes z = resolved(s);
    tern::plan p = contraction_kernel<Policy>::template plan_for<T>(z.m, z.n, z.k, z.batch, how...);
    p.op = Op::name;
    return p;
  }

  /// Run-time state with which calls of these sizes run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for every pass, which allocates; the default state under the other policies.
  /// `how` is what the model's make_state takes besides.
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

  /// Workspace that makes a call of these sizes with unpacked weights fastest, in bytes.
  template <class... How>
  static constexpr index_t workspace_bytes(matmul_sizes s = {}, How... how) {
    return plan(s, how...).workspace_bytes;
  }

  /// Elements that packed weights of k x n take.
  static constexpr index_t packed_size(index_t k, index_t n) {
    return contraction_kernel<Policy>::template packed_size<T>(k, n);
  }

  /// Arranges b of shape (k, n) for the calls of this kernel, once. Allocates packed_size(k, n) elements.
  template <class B>
  packed_type pack(const B& b) const {
    const auto w = weights_to_pack(b);
    check_weights(w);
    packed_type result(w.extent(0), w.extent(1), packed_size(w.extent(0), w.extent(1)));
    pack_into(w, result.owned_);
    return result;
  }

  /// The same into memory of the caller: at least packed_size(k, n) elements, alive as long as the result.
  template <class B, class Memory>
  packed_type pack(const B& b, Memory&& memory) const {
    const auto w = weights_to_pack(b);
    check_weights(w);
    const index_t size = packed_size(w.extent(0), w.extent(1));
    T* const to = impl::memory_to_pack_into<T>("matmul", memory, size);
    const auto from = impl::matrix_operand<const T, false>("matmul", "b", w);
    if (impl::overlaps(impl::elements_of(from, w.extent(0), w.extent(1), 1),
                       {to, size * static_cast<index_t>(sizeof(T))}))
      violation("matmul: the memory to pack into shares elements with b (%s)", impl::text_of(w).text);
    pack_into(w, to);
    return packed_type(w.extent(0), w.extent(1), size, to);
  }

 private:
  static constexpr bool batched = C.batch != 1;
  static constexpr int residual_at = C.bias ? 3 : 2, slope_at = residual_at + (C.residual ? 1 : 0),
                       c_at = slope_at + (C.act.takes_slope() ? 1 : 0);

  /// The sizes of a call from the config and what is given beside it.
  static constexpr matmul_sizes resolved(matmul_sizes s) {
    const auto size = [](index_t known, index_t given, const char* field) {
      if (known == dynamic && given < 0)
        violation("matmul: %s is dynamic: give it, as in plan({%s = 64})", field, field);
      if (known != dynamic && given != dynamic && given != known)
        violation("matmul: %s is given as %td where the config says %td", field, given, known);
      return known == dynamic ? given : known;
    };
    const matmul_sizes z{size(C.m, s.m, ".m"), size(C.n, s.n, ".n"), size(C.k, s.k, ".k"),
                         size(C.batch, s.batch, ".batch")};
    const auto elements = [&z](index_t rows, index_t columns) {
      return static_cast<double>(z.batch) * static_cast<double>(rows) * static_cast<double>(columns);
    };
    constexpr double most = 0x1p54 / sizeof(T);  // arranged, a matrix may take some times its size
    if (elements(z.m, z.k) > most || elements(z.k, z.n) > most || elements(z.m, z.n) > most)
      violation("matmul: .m=%td .n=%td .k=%td .batch=%td: no memory holds such matrices", z.m, z.n, z.k, z.batch);
    return z;
  }

  template <class B>
  static auto weights_to_pack(const B& b) {
    static_assert(!is_packed<B>, "matmul: pack takes weights that are not packed yet");
    if constexpr (is_packed<B>)
      return view<const T, dims<2>>();
    else
      return as_view(b);
  }

  template <class W>
  static void check_weights(const W& w) {
    static_assert(!batched, "matmul: pack needs .batch = 1: weights are shared by all rows");
    static_cast<void>(impl::matrix_operand<const T, false>("matmul", "b", w));
    if ((C.k != dynamic && w.extent(0) != C.k) || (C.n != dynamic && w.extent(1) != C.n))
      violation("matmul: b is %s where .k is %td and .n is %td", impl::text_of(w).text, C.k, C.n);
  }

  template <class W>
  static void pack_into(const W& w, T* to) {
    contraction_kernel<Policy>::pack(impl::matrix_operand<const T, false>("matmul", "b", w), w.extent(0), w.extent(1),
                                     to);
  }

  /// Sizes of one call, with the static ones as constants.
  struct sizes {
    index_t m_, n_, k_, batch_;
    TERN_INLINE index_t m() const { return C.m == dynamic ? m_ : C.m; }
    TERN_INLINE index_t n() const { return C.n == dynamic ? n_ : C.n; }
    TERN_INLINE index_t k() const { return C.k == dynamic ? k_ : C.k; }
    TERN_INLINE index_t batch() const { return C.batch == dynamic ? batch_ : C.batch; }
  };

  template <class View>
  TERN_INLINE static index_t rows_of(const View& v) {
    return v.extent(batched ? 1 : 0);
  }
  template <class View>
  TERN_INLINE static index_t columns_of(const View& v) {
    return v.extent(batched ? 2 : 1);
  }
  template <class View>
  TERN_INLINE static index_t items_of(const View& v) {
    if constexpr (batched)
      return v.extent(0);
    else
      return 1;
  }

  /// Whether a view can have this shape, as far as its type knows.
  template <class View>
  static constexpr bool fits(index_t rows, index_t columns) {
    using E = typename View::extents_type;
    constexpr int r = batched ? 1 : 0;
    return impl::may_agree(E::static_extent(r), rows) && impl::may_agree(E::static_extent(r + 1), columns) &&
           (!batched || impl::may_agree(E::static_extent(0), C.batch));
  }

  template <class A, class B, class Y>
  TERN_COLD static void shape_violation(const char* a_name, const A& a, const char* b_name, const B& b,
                                        const char* c_name, const Y& c) {
    violation(
        "matmul: %s is %s, %s is %s and %s is %s: they must be of m x k, k x n and m x n elements with .m=%td "
        ".n=%td .k=%td .batch=%td (-1: any)",
        a_name, impl::text_of(a).text, b_name, impl::text_of(b).text, c_name, impl::text_of(c).text, C.m, C.n, C.k,
        C.batch);
  }

  TERN_INLINE static bool is(index_t actual, index_t configured) {
    return configured == dynamic || actual == configured;
  }

  /// Reads the sizes from the three matrices and checks that they agree with each other and the config.
  template <class A, class B, class Y>
  static sizes check(const char* a_name, const A& a, const char* b_name, const B& b, const char* c_name, const Y& c) {
    static_assert(fits<A>(C.m, C.k), "matmul: the static shape of a disagrees with .m, .k or .batch");
    static_assert(fits<B>(C.k, C.n), "matmul: the static shape of b disagrees with .k, .n or .batch");
    static_assert(fits<Y>(C.m, C.n), "matmul: the static shape of c disagrees with .m, .n or .batch");
    const sizes s{rows_of(a), columns_of(b), columns_of(a), items_of(a)};
    if (!is(s.m_, C.m) || !is(s.n_, C.n) || !is(s.k_, C.k) || !is(s.batch_, C.batch) || rows_of(b) != s.k_ ||
        rows_of(c) != s.m_ || columns_of(c) != s.n_ || items_of(b) != s.batch_ || items_of(c) != s.batch_)
      shape_violation(a_name, a, b_name, b, c_name, c);
    return s;
  }

  /// Packed weights as a view, for their shape.
  static auto weights_view(const packed_type& w) { return view<const T, dims<2>>(w.data(), dims<2>(w.k(), w.n())); }
  template <class B>
  static auto weights_view(const B& b) {
    static_assert(!is_packed<B>, "matmul: these weights were packed for another op or policy");
    return as_view(b);
  }
  template <class B>
  static constexpr bool is_own_packed = std::is_same_v<std::remove_cvref_t<B>, packed_type>;

  template <class State, class... Args>
  static void forward(State&& state, Args&... args) {
    decltype(auto) a_arg = impl::nth_tensor<0>(args...);
    decltype(auto) b_arg = impl::nth_tensor<1>(args...);
    const auto a = as_view(a_arg);
    const auto b = weights_view(b_arg);
    const auto c = as_view(impl::nth_tensor<c_at>(args...));
    const sizes s = check("a", a, "b", b, "c", c);

    constexpr epilogue after{impl::has_option<accumulate_t, Args...>, C.bias, C.residual, C.act};
    constexpr auto sa = strides_of<decltype(a)>(C.m, C.k), sb = strides_of<decltype(b)>(C.k, C.n),
                   sc = strides_of<decltype(c)>(C.m, C.n);
    constexpr contraction_shape shape{dot_chunk, is_own_packed<decltype(b_arg)> ? weights::packed : weights::strided,
                                      C.m,       C.n,
                                      C.k,       sa.row,
                                      sa.column, sb.row,
                                      sb.column, sc.row,
                                      sc.column, C.batch};
    contraction<T, after, shape> q;
    set_sizes(q, s.m(), s.n(), s.k(), s.batch());
    q.a = impl::matrix_operand<const T, batched>("matmul", "a", a);
    q.c = impl::matrix_operand<T, batched>("matmul", "c", c);
    set_weights(q, b_arg, b);
    if constexpr (C.bias) q.with.bias = row_operand<const T>("bias", as_view(impl::nth_tensor<2>(args...)), s.n());
    if constexpr (C.act.takes_slope())
      q.with.slope = row_operand<const T>("slope", as_view(impl::nth_tensor<slope_at>(args...)), s.n());
    if constexpr (C.residual) {
      const auto r = as_view(impl::nth_tensor<residual_at>(args...));
      static_assert(fits<std::remove_cvref_t<decltype(r)>>(C.m, C.n),
                    "matmul: the static shape of residual disagrees with .m, .n or .batch");
      if (rows_of(r) != s.m() || columns_of(r) != s.n() || items_of(r) != s.batch())
        violation("matmul: residual is %s and c is %s: their shapes must be equal", impl::text_of(r).text,
                  impl::text_of(c).text);
      q.with.residual = impl::matrix_operand<const T, batched>("matmul", "residual", r);
    }
    const workspace memory = impl::find_workspace(args...);
    check_outputs(q, memory);
    contraction_kernel<Policy>::run(state, q, memory);
  }

  template <class State, class... Args>
  static void gradient_of_a(State&& state, Args&... args) {
    decltype(auto) b_arg = impl::nth_tensor<1>(args...);
    const auto dy = as_view(impl::nth_tensor<0>(args...));
    const auto b = weights_view(b_arg);
    const auto dx = as_view(impl::nth_tensor<2>(args...));
    const sizes s = check("dx", dx, "b", b, "dy", dy);

    constexpr epilogue after{impl::has_option<accumulate_t, Args...>};
    constexpr auto sdy = strides_of<decltype(dy)>(C.m, C.n), sb = strides_of<decltype(b)>(C.k, C.n),
                   sdx = strides_of<decltype(dx)>(C.m, C.k);
    constexpr contraction_shape shape{
        dot_chunk,  is_own_packed<decltype(b_arg)> ? weights::packed_transposed : weights::strided,
        C.m,        C.k,
        C.n,        sdy.row,
        sdy.column, sb.column,
        sb.row,     sdx.row,
        sdx.column, C.batch};
    contraction<T, after, shape> q;
    set_sizes(q, s.m(), s.k(), s.n(), s.batch());
    q.a = impl::matrix_operand<const T, batched>("matmul", "dy", dy);
    q.c = impl::matrix_operand<T, batched>("matmul", "dx", dx);
    set_weights(q, b_arg, b);
    q.b = q.b.transposed();
    const workspace memory = impl::find_workspace(args...);
    check_outputs(q, memory);
    contraction_kernel<Policy>::run(state, q, memory);
  }

  template <class State, class... Args>
  static void gradient_of_b(State&& state, Args&... args) {
    const auto a = as_view(impl::nth_tensor<0>(args...));
    const auto dy = as_view(impl::nth_tensor<1>(args...));
    const auto db = as_view(impl::nth_tensor<2>(args...));
    const sizes s = check("a", a, "db", db, "dy", dy);
    const workspace memory = impl::find_workspace(args...);  // for db: dbias needs none

    constexpr epilogue after{impl::has_option<accumulate_t, Args...>};
    constexpr auto sa = strides_of<decltype(a)>(C.m, C.k), sdy = strides_of<decltype(dy)>(C.m, C.n),
                   sdb = strides_of<decltype(db)>(C.k, C.n);
    constexpr contraction_shape shape{sample_grain, weights::strided, C.k,        C.n,     C.m,        sa.column,
                                      sa.row,       sdy.row,          sdy.column, sdb.row, sdb.column, C.batch};
    contraction<T, after, shape> q;
    set_sizes(q, s.k(), s.n(), s.m(), s.batch());
    q.a = impl::matrix_operand<const T, batched>("matmul", "a", a).transposed();
    q.b = impl::matrix_operand<const T, batched>("matmul", "dy", dy);
    q.c = impl::matrix_operand<T, batched>("matmul", "db", db);
    check_outputs(q, memory);

    if constexpr (impl::tensor_count<Args...> == 4) {
      const auto dbias = as_view(impl::nth_tensor<3>(args...));
      const T one(1);  // summing is multiplying by one: an fma with it rounds as an addition does
      contraction<T, after, contraction_shape{.chunk = sample_grain, .sums_b = true}> sum;
      set_sizes(sum, 1, s.n(), s.batch() == 0 ? 0 : s.m(), 1);
      sum.a = {&one, 0, 0, 0};
      sum.c = row_operand<T>("dbias", dbias, s.n());
      sum.b = q.b;
      check_outputs(sum, memory);
      const impl::element_set out = impl::elements_of(sum.c, 1, s.n(), s.batch());
      const auto shared = [&](const auto& x, index_t rows, index_t columns) {
        return impl::share_elements(impl::elements_of(x, rows, columns, s.batch()), out, sizeof(T), s.batch());
      };
      if (shared(q.b, s.m(), s.n()) || shared(q.a, s.k(), s.m()) || shared(q.c, s.k(), s.n()))
        violation("matmul: dbias shares elements with a, dy or db (m=%td n=%td k=%td)", s.m(), s.n(), s.k());
      impl::check_fit<contraction_kernel<Policy>>(state, sum);
      contraction_kernel<Policy>::run(state, q, memory);
      sum_items(state, sum, s.batch());
    } else {
      contraction_kernel<Policy>::run(state, q, memory);
    }
  }

  /// The sum over all items of a batch, one after the other onto the same output.
  template <epilogue After, contraction_shape Shape, class State>
  static void sum_items(State&& state, const contraction<T, After, Shape>& sum, index_t batch) {
    contraction_kernel<Policy>::run(state, sum, workspace{});
    for (index_t item = 1; item < batch; ++item) {
      contraction<T, epilogue{.accumulate = true}, Shape> next;
      set_sizes(next, sum.m, sum.n, sum.k, 1);
      next.a = sum.a;
      next.b = sum.b.item(item);
      next.c = sum.c;
      contraction_kernel<Policy>::run(state, next, workspace{});
    }
  }

  template <class Q>
  TERN_INLINE static void set_sizes(Q& q, index_t m, index_t n, index_t k, index_t batch) {
    q.m = m, q.n = n, q.k = k, q.batch = batch;
  }

  template <class Q, class Arg, class View>
  static void set_weights(Q& q, const Arg& b_arg, const View& b) {
    if constexpr (is_own_packed<Arg>)
      q.packed = b_arg.data();
    else
      q.b = impl::matrix_operand<const T, batched>("matmul", "b", b);
  }

  /// Strides of a matrix as far as the config and the layout of its view tell; `dynamic` otherwise.
  struct strides {
    index_t row, column;
  };
  template <class View>
  static constexpr strides strides_of(index_t rows, index_t columns) {
    using layout = typename std::remove_cvref_t<View>::layout_type;
    if (std::is_same_v<layout, layout_row>) return {columns, 1};
    if (std::is_same_v<layout, layout_transposed> || (std::is_same_v<layout, layout_column> && !batched))
      return {1, rows};
    return {dynamic, dynamic};
  }

  /// A vector of n elements as a row that every row of the output sees.
  template <class U, class View>
  static operand<U> row_operand(const char* name, const View& v, index_t n) {
    static_assert(View::rank == 1, "matmul: bias, slope and dbias must have rank 1");
    static_assert(std::is_same_v<typename View::value_type, T>,
                  "matmul: every tensor must have the element type of the op");
    static_assert(std::is_const_v<U> || !std::is_const_v<typename View::element_type>,
                  "matmul: the output must be a view of elements that are not const");
    static_assert(impl::may_agree(View::extents_type::static_extent(0), C.n),
                  "matmul: the static size of bias, slope or dbias disagrees with .n");
    if (v.extent(0) != n) violation("matmul: %s has %td elements, .n is %td", name, v.extent(0), n);
    if (v.data() == nullptr && n > 0) impl::null_violation("matmul", name, v);
    if constexpr (std::is_convertible_v<decltype(v.data()), U*>)
      return {v.data(), 0, v.stride(0), 0};
    else
      return {};
  }

  /// Whether f(operand, rows, columns) is true for an input of the call.
  template <class Q, class F>
  TERN_INLINE static bool any_input(const Q& q, F f) {
    bool any = f(q.a, q.m, q.k);
    if constexpr (Q::shape.b == weights::strided)
      any = any || f(q.b, q.k, q.n);
    else if constexpr (Q::shape.b == weights::packed)
      any = any || f(operand<const T>{q.packed, 0, 1, 0}, 1, packed_size(q.k, q.n));
    else
      any = any || f(operand<const T>{q.packed, 0, 1, 0}, 1, packed_size(q.n, q.k));
    if constexpr (Q::after.bias) any = any || f(q.with.bias, 1, q.n);
    if constexpr (Q::after.residual) any = any || f(q.with.residual, q.m, q.n);
    if constexpr (Q::after.act.takes_slope()) any = any || f(q.with.slope, 1, q.n);
    return any;
  }

  /// What is written must lie apart: outputs and workspace from the inputs and each other, results among themselves.
  template <class Q>
  TERN_INLINE static void check_outputs(const Q& q, workspace memory = {}) {
    const impl::element_set out = impl::elements_of(q.c, q.m, q.n, q.batch);
    const auto shared = [&](const auto& x, index_t rows, index_t columns) __attribute__((always_inline)) {
      return impl::share_elements(impl::elements_of(x, rows, columns, q.batch), out, sizeof(T), q.batch);
    };
    if (any_input(q, shared))
      violation("matmul: the output shares elements with an input (m=%td n=%td k=%td)", q.m, q.n, q.k);
    const bool row_by_row =
        q.c.column == 1 && q.c.row >= q.n && (q.batch == 1 || q.c.batch >= (q.m - 1) * q.c.row + q.n);
    if (!row_by_row && impl::overlaps_itself(q.c, q.m, q.n, q.batch))
      violation(
          "matmul: the output has strides %td and %td between rows and columns and %td between items: two of its "
          "%tdx%tdx%td results would share an element",
          q.c.row, q.c.column, q.c.batch, q.batch, q.m, q.n);
    if (memory.bytes != 0) {
      const auto lent = [&](const auto& x, index_t rows, index_t columns) {
        return impl::overlaps(impl::elements_of(x, rows, columns, q.batch), memory);
      };
      if (impl::overlaps(out, memory) || any_input(q, lent))
        violation("matmul: the workspace shares memory with a matrix of the call (m=%td n=%td k=%td)", q.m, q.n, q.k);
    }
  }
};

}  // namespace tern::inline TERN_ISA
