// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor finds mistakes: small kernels with one mistake each, and without it. Every fault names the thread, the
// access and the place.
#include <numeric>
#include <string>
#include <vector>

#include "tests/simt/ptx/run_text.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

using ptx::copy_time;
using ptx::thread_order;
using u32 = std::uint32_t;

constexpr thread_order orders[] = {thread_order::forward, thread_order::reverse, thread_order::random};

/// True if a kernel on one array has a fault with these words under every order.
void finds(const std::string& text, const std::string& words, ptx_launch how = {}, std::size_t elements = 256) {
  for (const thread_order order : orders) {
    how.order = order;
    std::vector<u32> x(elements, 1);
    const std::string fault = run_ptx(text, how, x);
    INFO("order " << static_cast<int>(order) << ": " << fault);
    CHECK(fault.find(words) != std::string::npos);
    CHECK(fault.find("block ") == 0);
    CHECK(fault.find('\n') == std::string::npos);
  }
}
/// The contents of the array after the kernel, the same for every order.
std::vector<u32> leaves(const std::string& text, ptx_launch how = {}, std::size_t elements = 256) {
  std::vector<u32> result;
  for (const thread_order order : orders)
    for (const copy_time copies : {copy_time::early, copy_time::late})
      for (u32 seed = 1; seed <= (order == thread_order::random ? 5u : 1u); ++seed) {
        how.order = order, how.copies = copies, how.seed = seed;
        std::vector<u32> x(elements, 1);
        const std::string fault = run_ptx(text, how, x);
        INFO("order " << static_cast<int>(order) << " seed " << seed);
        CHECK(fault == "");
        if (result.empty()) result = x;
        CHECK(x == result);
      }
  return result;
}

const std::string words_64 = ".shared .align 16 .b8 s[256];\n";
/// The address of thread t's word of s in %r1, of its neighbour's, around the end of 64, in %r2, and of element t of
/// the array in %rd5.
const std::string neighbours = R"(
mov.u32 %r3, s;
shl.b32 %r4, %r0, 2;
add.s32 %r1, %r3, %r4;
add.s32 %r5, %r4, 4;
and.b32 %r5, %r5, 255;
add.s32 %r2, %r3, %r5;
add.s64 %rd5, %rd0, %rd4;
)";

TEST_CASE("neighbours exchange words across a barrier, and race without one", "[ptx]") {
  const auto kernel = [](const char* between) {
    return ptx_kernel(1,
                      neighbours + "st.shared.u32 [%r1], %r0;\n" + between +
                          "ld.shared.u32 %r10, [%r2];\nst.global.u32 [%rd5], %r10;",
                      words_64);
  };
  const std::vector<u32> x = leaves(kernel("bar.sync 0;\n"), {.threads = {64}}, 64);
  for (u32 t = 0; t < 64; ++t) CHECK(x[t] == (t + 1) % 64);
  finds(kernel(""), "with no barrier between them", {.threads = {64}});
}

TEST_CASE("races on shared memory are found, whatever the order", "[ptx]") {
  const auto kernel = [](const std::string& body) { return ptx_kernel(1, neighbours + body, words_64); };
  finds(kernel("st.shared.u32 [s], %r0;"), "writes, too, with no barrier between them");
  finds(kernel("st.shared.u32 [s+4], 7;"), "writes, too, with no barrier between them");  // also of equal values
  // A word that all have read is written by one.
  const std::string first = "setp.ne.s32 %p1, %r0, 0;\n@%p1 bra $end;\nst.shared.u32 [s], 5;\n$end:\n";
  finds(kernel("st.shared.u32 [%r1], %r0;\nbar.sync 0;\nld.shared.u32 %r10, [s];\n" + first),
        "with no barrier between them", {.threads = {64}});
  leaves(kernel("st.shared.u32 [%r1], %r0;\nbar.sync 0;\nld.shared.u32 %r10, [s];\nbar.sync 0;\n" + first),
         {.threads = {64}});
  // Bytes of one word belong to different threads.
  const std::string byte = "add.s32 %r6, %r3, %r0;\nst.shared.u8 [%r6], %r0;\n";
  leaves(kernel(byte + "bar.sync 0;\nld.shared.u32 %r10, [%r1];"), {.threads = {32}});
  finds(kernel(byte + "ld.shared.u8 %rs1, [%r6+1];"), "with no barrier between them");
  finds(kernel(byte + "st.shared.u8 [s+1], 3;"), "with no barrier between them");
}

TEST_CASE("threads update bytes and halfwords of their own, in words that they share", "[ptx]") {
  // Each thread adds one to its own element twice; then it reads its neighbour's, with and without a barrier.
  const auto kernel = [](const std::string& space, int bytes, const std::string& between) {
    const std::string type = space + ".u" + std::to_string(8 * bytes), size = std::to_string(bytes);
    const std::string base = space == "shared" ? "mov.u32 %r1, s;\ncvt.u64.u32 %rd7, %r1;\n" : "mov.u64 %rd7, %rd0;\n";
    const std::string once = "ld." + type + " %rs1, [%rd6];\nadd.s16 %rs1, %rs1, 1;\nst." + type + " [%rd6], %rs1;\n";
    return ptx_kernel(1,
                      base + "mul.wide.u32 %rd5, %r0, " + size + ";\nadd.s64 %rd6, %rd7, %rd5;\n" +
                          (space == "shared" ? "st." + type + " [%rd6], 1;\n" : "") + once + once + between + "ld." +
                          type + " %rs2, [%rd6+-" + size + "];\n",
                      words_64);
  };
  for (const char* space : {"shared", "global"})
    for (const int bytes : {1, 2}) {
      INFO(space << " " << bytes);
      const std::string first = "setp.eq.s32 %p1, %r0, 0;\n@%p1 ret;\n";
      leaves(kernel(space, bytes, "bar.sync 0;\n" + first), {.threads = {64}});
      finds(kernel(space, bytes, first), "with no barrier between them", {.threads = {64}});
    }
  // Blocks that write one byte, after another of the same word.
  const std::string blocks =
      "mov.u32 %r1, %ctaid.x;\ncvt.u64.u32 %rd5, %r1;\nadd.s64 %rd6, %rd0, %rd5;\nst.global.u8 [%rd6], %r1;\n";
  leaves(ptx_kernel(1, blocks), {.blocks = {4}, .threads = {1}});
  finds(ptx_kernel(1, blocks + "st.global.u8 [%rd0+1], %r1;"), "with no barrier between them",
        {.blocks = {4}, .threads = {1}});
}

TEST_CASE("races on global memory are found, also between blocks", "[ptx]") {
  const std::string own =
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.s32 %r3, %r1, %r2, %r0;\n"
      "mul.wide.u32 %rd5, %r3, 4;\nadd.s64 %rd6, %rd0, %rd5;\n";
  leaves(ptx_kernel(1, own + "st.global.u32 [%rd6], %r3;"), {.blocks = {4}, .threads = {64}});
  finds(ptx_kernel(1, "st.global.u32 [%rd0], %r0;"), "with no barrier between them");
  finds(ptx_kernel(1, "add.s64 %rd6, %rd0, %rd4;\nst.global.u32 [%rd6], %r0;"), "with no barrier between them",
        {.blocks = {2}});
  finds(ptx_kernel(1, own + "ld.global.u32 %r10, [%rd0];\nst.global.u32 [%rd6], %r10;"), "with no barrier between them",
        {.blocks = {4}, .threads = {64}});
  // Memory that a kernel reads as constant must not be written, whatever is between.
  const std::string constant = "add.s64 %rd6, %rd0, %rd4;\nld.global.nc.u32 %r10, [%rd6];\n";
  leaves(ptx_kernel(1, constant + "st.global.u32 [%rd6+128], %r10;"));
  finds(ptx_kernel(1, constant + "st.global.u32 [%rd6], %r10;"), "writes what is read as constant in the same launch");
  finds(ptx_kernel(1, "st.global.u32 [%rd0], 1;\nbar.sync 0;\nld.global.nc.u32 %r10, [%rd0];"),
        "reads as constant what thread 0 of block 0 writes in the same launch", {.threads = {1}});
  // Within a block a barrier orders global memory, too.
  const std::string turn = own +
                           "st.global.u32 [%rd6], %r0;\nbar.sync 0;\nld.global.u32 %r10, [%rd0+4];\n"
                           "bar.sync 0;\nst.global.u32 [%rd6], %r10;";
  leaves(ptx_kernel(1, turn), {.threads = {64}});
}

TEST_CASE("undefined values may be copied, but not branched on, used as addresses or stored globally", "[ptx]") {
  const auto kernel = [](const std::string& body) { return ptx_kernel(1, neighbours + body, words_64); };
  const std::string read = "ld.shared.u32 %r10, [%r1];\n";
  leaves(kernel(read + "add.s32 %r11, %r10, 1;\nmul.lo.s32 %r12, %r11, %r10;\nst.shared.u32 [%r1], %r12;"));
  finds(kernel(read + "st.global.u32 [%rd5], %r10;"), "writes a number that is not defined to global memory");
  finds(kernel(read + "add.s32 %r11, %r10, 1;\nst.shared.u32 [%r1], %r11;\nld.shared.u32 %r12, [%r1];\n"
                      "st.global.u32 [%rd5], %r12;"),
        "not defined");
  finds(kernel(read + "setp.eq.s32 %p1, %r10, 0;\n@%p1 bra $end;\n$end:\n"), "depends on a number that is not defined");
  finds(kernel(read + "ld.shared.u32 %r11, [%r10];"), "its address is not defined");
  finds(kernel("st.global.u32 [%rd5], %r20;"), "not defined");  // a register without a value
  // Of a selection only the operand that is taken counts.
  const std::string choose =
      read + "setp.eq.s32 %p1, %r0, %r0;\nselp.b32 %r11, %r0, %r10, %p1;\nst.global.u32 [%rd5], %r11;";
  leaves(kernel(choose));
  finds(kernel("setp.ne.s32 %p1, %r0, %r0;\n" + read + "selp.b32 %r11, %r0, %r10, %p1;\nst.global.u32 [%rd5], %r11;"),
        "not defined");
}

TEST_CASE("a vector with one undefined element has its others defined", "[ptx]") {
  const auto kernel = [](const std::string& body) { return ptx_kernel(1, neighbours + body, words_64); };
  const std::string read =
      "st.shared.v2.u32 [s], {%r0, %r0};\nst.shared.u32 [s+12], %r0;\n"
      "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [s];\nst.global.u32 [%rd5], ";
  for (const char* written : {"%r10;", "%r11;", "%r13;"}) leaves(kernel(read + written), {.threads = {1}});
  finds(kernel(read + "%r12;"), "not defined", {.threads = {1}});
  const std::string bytes = "st.shared.u8 [s], %r0;\nst.shared.u8 [s+3], %r0;\n";
  leaves(kernel(bytes + "ld.shared.u8 %r10, [s+3];\nst.global.u32 [%rd5], %r10;"), {.threads = {1}});
  finds(kernel(bytes + "ld.shared.u16 %r10, [s+2];\nst.global.u32 [%rd5], %r10;"), "not defined", {.threads = {1}});
}

TEST_CASE("accesses outside of every variable are found", "[ptx]") {
  const auto shared = [](const std::string& body) {
    return ptx_kernel(1, neighbours + body, words_64 + ".extern .shared .align 16 .b8 dynamic[];\n");
  };
  finds(shared("st.shared.u32 [%r1+256], 1;"), "writes 4 bytes of shared memory at 256 of a variable of 256",
        {.threads = {1}});
  finds(shared("st.shared.u32 [%r1+65536], 1;"), "writes 4 bytes of shared memory at 65536 of a variable of 256",
        {.threads = {1}, .dynamic_shared = 163 * 1024});
  finds(shared("ld.shared.u32 %r10, [s+-4];"), "reads 4 bytes of shared memory at address");
  finds(shared("mov.u32 %r6, dynamic;\nst.shared.v4.u32 [%r6+96], {%r0, %r0, %r0, %r0};"),
        "writes 16 bytes of shared memory at 96 of a variable of 100", {.threads = {1}, .dynamic_shared = 100});
  finds(shared("ld.shared.u32 %r10, [dynamic+0];"), "of a variable of 0");
  finds(shared("mov.u32 %r6, 0;\nst.shared.u32 [%r6], 1;"), "writes 4 bytes of shared memory at address 0");
  finds(ptx_kernel(1, "ld.global.u32 %r10, [%rd0+1024];"), "reads 4 bytes of global memory at 0x");
  finds(ptx_kernel(1, "st.global.u32 [%rd0+1022], %r0;"), "at 1022 of an allocation of 1024");
  finds(ptx_kernel(1, "mov.u64 %rd6, 64;\nld.global.u8 %rs1, [%rd6];"), "which nobody allocated");
  finds(ptx_kernel(1, "ld.param.u64 %rd6, [p0+8];"), "reads behind the parameters");
}

TEST_CASE("misaligned accesses are found, of vectors, too", "[ptx]") {
  finds(ptx_kernel(1, "ld.global.u32 %r10, [%rd0+2];"), "which is not a multiple of that");
  finds(ptx_kernel(1, "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd0+8];"), "which is not a multiple of that");
  finds(ptx_kernel(1, "st.shared.v2.u32 [s+4], {%r0, %r0};", words_64),
        "8 bytes of shared memory at 4, which is not a multiple of that");
}

TEST_CASE("barriers that some threads do not reach are found", "[ptx]") {
  const std::string half = "setp.lt.s32 %p1, %r0, 16;\n";
  finds(ptx_kernel(1, half + "@%p1 bra $out;\nbar.sync 0;\n$out:\n"),
        "deadlock: 16 threads wait at a barrier, 16 have left");
  finds(ptx_kernel(1, half + "@%p1 bar.sync 0;\nbar.sync 0;"),
        "waits at another barrier than other threads of its warp");
  // Whole warps that leave early are as bad: what the others wait for never comes.
  finds(ptx_kernel(1, "setp.lt.s32 %p1, %r0, 32;\n@%p1 ret;\nbar.sync 0;"),
        "deadlock: 32 threads wait at a barrier, 32 have left", {.threads = {64}});
  leaves(ptx_kernel(1, half + "@%p1 bra $out;\nmov.u32 %r1, 1;\n$out:\nbar.sync 0;"));
  // Each half has a barrier of its own: halves of a warp, and whole warps.
  const std::string each = "@%p1 bra $first;\nbar.sync 0;\nbra $end;\n$first:\nbar.sync 0;\n$end:\n";
  finds(ptx_kernel(1, half + each), "waits at another barrier than other threads of its warp");
  finds(ptx_kernel(1, "setp.lt.s32 %p1, %r0, 32;\n" + each),
        "warp 1 waits at the barrier of PTX line 20, warp 0 at that of PTX line 23", {.threads = {64}});
}

TEST_CASE("loops that do not end are ended", "[ptx]") {
  finds(ptx_kernel(1, "$loop:\nadd.s32 %r1, %r0, 1;\nbra $loop;"), "a loop that does not end", {.most_steps = 1000});
  // A warp that waits for another one's word: it waits for ever, or there is a race.
  finds(ptx_kernel(1,
                   neighbours + "st.shared.u32 [%r1], 0;\nbar.sync 0;\nsetp.eq.s32 %p1, %r0, 32;\n"
                                "@%p1 st.shared.u32 [s], 1;\nsetp.ge.s32 %p1, %r0, 32;\n@%p1 ret;\n$wait:\n"
                                "ld.volatile.shared.u32 %r10, [s];\nsetp.eq.s32 %p1, %r10, 0;\n@%p1 bra $wait;",
                   words_64),
        "", {.threads = {64}, .most_steps = 1000});
  leaves(ptx_kernel(1,
                    "mov.u32 %r1, 0;\n$loop:\nadd.s32 %r1, %r1, 1;\nbar.sync 0;\nsetp.lt.s32 %p1, %r1, 1000;\n"
                    "@%p1 bra $loop;"),
         {.most_steps = 100});
}

TEST_CASE("lanes that a branch parts meet again", "[ptx]") {
  // Each thread adds 1 + 2 + ... + its number, and odd ones another thousand, with a barrier after the loop.
  const std::string body = R"(
mov.u32 %r1, 0;
mov.u32 %r2, 0;
$loop:
add.s32 %r1, %r1, %r2;
add.s32 %r2, %r2, 1;
setp.le.s32 %p1, %r2, %r0;
@%p1 bra $loop;
and.b32 %r3, %r0, 1;
setp.eq.s32 %p2, %r3, 0;
@%p2 bra $even;
add.s32 %r1, %r1, 1000;
bra.uni $both;
$even:
add.s32 %r1, %r1, 0;
$both:
bar.sync 0;
add.s64 %rd5, %rd0, %rd4;
st.global.u32 [%rd5], %r1;)";
  const std::vector<u32> x = leaves(ptx_kernel(1, body), {.threads = {80}}, 80);
  for (u32 t = 0; t < 80; ++t) CHECK(x[t] == t * (t + 1) / 2 + (t % 2 ? 1000 : 0));
}

/// The lane from which lane `lane` of a shuffle reads, or itself (PTX ISA, "shfl.sync").
int source(const std::string& mode, int lane, int b, int c, bool& has) {
  const int clamp = c & 31, segment = c >> 8 & 31, last = (lane & segment) | (clamp & ~segment), first = lane & segment;
  int j = 0;
  if (mode == "up") j = lane - b, has = j >= last;
  if (mode == "down") j = lane + b, has = j <= last;
  if (mode == "bfly") j = lane ^ b, has = j <= last;
  if (mode == "idx") j = first | (b & ~segment), has = j <= last;
  return has ? j : lane;
}

TEST_CASE("shuffles of all lanes, in whole warps and in parts of them", "[ptx]") {
  for (const std::string mode : {"up", "down", "bfly", "idx"})
    for (const int b : {0, 1, 3, 16, 31})
      for (const int c : {31, 0, 15, 0x181f, 0x1c07, 0x1000}) {
        const std::string body = "add.s32 %r1, %r0, 100;\nshfl.sync." + mode + ".b32 %r2|%p1, %r1, " +
                                 std::to_string(b) + ", " + std::to_string(c) +
                                 ", -1;\nselp.u32 %r3, 1000, 0, %p1;\nadd.s32 %r2, %r2, %r3;\n"
                                 "add.s64 %rd5, %rd0, %rd4;\nst.global.u32 [%rd5], %r2;";
        INFO(mode << " " << b << " " << c);
        const std::vector<u32> x = leaves(ptx_kernel(1, body), {.threads = {64}}, 64);
        for (int t = 0; t < 64; ++t) {
          bool has = false;
          const int from = source(mode, t % 32, b, c, has);
          CHECK(x[static_cast<std::size_t>(t)] == static_cast<u32>(t / 32 * 32 + from + 100 + (has ? 1000 : 0)));
        }
      }
}

TEST_CASE("shuffles of some lanes, at one place or two", "[ptx]") {
  const std::string store = "add.s64 %rd5, %rd0, %rd4;\nst.global.u32 [%rd5], %r2;";
  // The lower half exchanges among itself, the upper half among itself.
  const std::string halves =
      "setp.lt.s32 %p1, %r0, 16;\nselp.u32 %r3, 0xffff, 0xffff0000, %p1;\n"
      "shfl.sync.bfly.b32 %r2, %r0, 3, 31, %r3;\n" +
      store;
  const std::vector<u32> x = leaves(ptx_kernel(1, halves), {}, 32);
  for (u32 t = 0; t < 32; ++t) CHECK(x[t] == (t ^ 3));
  const std::string one_half =
      "setp.ge.s32 %p1, %r0, 16;\nmov.u32 %r2, 7;\n@%p1 bra $out;\n"
      "shfl.sync.down.b32 %r2, %r0, 1, 31, 0xffff;\n$out:\n";
  // Lane 15 asks lane 16, which takes no part: what it gets is not defined.
  finds(ptx_kernel(1, one_half + store), "not defined");
  const std::vector<u32> y =
      leaves(ptx_kernel(1, one_half + "setp.eq.s32 %p2, %r0, 15;\nselp.b32 %r2, 99, %r2, %p2;\n" + store), {}, 32);
  for (u32 t = 0; t < 32; ++t) CHECK(y[t] == (t < 15 ? t + 1 : t == 15 ? 99 : 7));
  finds(ptx_kernel(
            1,
            "setp.ge.s32 %p1, %r0, 16;\n@%p1 bra $wait;\nshfl.sync.bfly.b32 %r2, %r0, 1, 31, -1;\n$wait:\nbar.sync 0;"),
        "deadlock: 16 threads wait in a shuffle for others, 16 at a barrier");
  // The halves are in different shuffles at the same time.
  const std::string two =
      "setp.ge.s32 %p1, %r0, 16;\n@%p1 bra $upper;\nshfl.sync.bfly.b32 %r2, %r0, 1, 31, 0xffff;\nbra $both;\n"
      "$upper:\nshfl.sync.bfly.b32 %r2, %r0, 2, 31, 0xffff0000;\n$both:\n";
  const std::vector<u32> z = leaves(ptx_kernel(1, two + store), {}, 32);
  for (u32 t = 0; t < 32; ++t) CHECK(z[t] == (t ^ (t < 16 ? 1u : 2u)));
  // Nobody waits for lanes that have left, but their values are not defined.
  const std::string left = "setp.ge.s32 %p1, %r0, 16;\n@%p1 ret;\nshfl.sync.bfly.b32 %r2, %r0, ";
  leaves(ptx_kernel(1, left + "1, 31, -1;\n" + store));
  finds(ptx_kernel(1, left + "16, 31, -1;\n" + store), "not defined");
  // Odd lanes name all lanes, even ones only each other.
  const std::string unequal =
      "and.b32 %r3, %r0, 1;\nsetp.eq.s32 %p1, %r3, 0;\nselp.b32 %r4, 0x55555555, -1, %p1;\n"
      "shfl.sync.bfly.b32 %r2, %r0, 2, 31, %r4;\n";
  finds(ptx_kernel(1, unequal), "is in a shuffle whose lanes name different members: 0x55555555 and 0xffffffff");
  finds(ptx_kernel(1, unequal + "bar.sync 0;"), "deadlock: 16 threads wait in a shuffle for others, 16 at a barrier");
  finds(ptx_kernel(1, "shfl.sync.bfly.b32 %r2, %r0, 1, 31, 0xff;"), "is no member of its own shuffle");
  finds(ptx_kernel(1, "shfl.sync.bfly.b32 %r2, %r0, 1, 31, -1;"), "has a member that does not exist",
        {.threads = {16}});
}

// ---------------------------------------------------------------------------------------------------------------------
// Asynchronous copies

/// Copies four bytes of the array to each thread's word of s, then runs `between`, then writes the neighbour's word
/// after the first 256 bytes of the array.
std::string copies(const std::string& between,
                   const std::string& copy = "cp.async.ca.shared.global [%r1], [%rd5], 4, 4;\n") {
  return ptx_kernel(1, neighbours + copy + between + "ld.shared.u32 %r10, [%r2];\nst.global.u32 [%rd5+256], %r10;",
                    words_64);
}

TEST_CASE("asynchronous copies arrive once they are waited for and all threads have met", "[ptx]") {
  leaves(copies("cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n"), {.threads = {64}});
  leaves(copies("cp.async.wait_all;\nbar.sync 0;\n"), {.threads = {64}});
  finds(copies("cp.async.commit_group;\ncp.async.wait_group 0;\n"), "with no barrier between them", {.threads = {64}});
  // Not waited for, or for one group too few: what is read is not there yet.
  const std::string leave = "cp.async.wait_all;\n";
  for (const std::string wait :
       {"cp.async.commit_group;\nbar.sync 0;\n", "cp.async.commit_group;\ncp.async.wait_group 1;\nbar.sync 0;\n",
        "cp.async.wait_group 0;\nbar.sync 0;\n"})
    finds(copies(wait), "an asynchronous copy", {.threads = {64}});
  finds(ptx_kernel(1, neighbours + "cp.async.ca.shared.global [%r1], [%rd5], 4, 4;\ncp.async.commit_group;", words_64),
        "leaves with an asynchronous copy that it has not waited for", {.threads = {64}});
  // A group further back is there, the last one is not.
  const std::string second =
      "cp.async.commit_group;\ncp.async.ca.shared.global [t], [%rd5], 4, 4;\ncp.async.commit_group;\n";
  const auto two = [&](const std::string& rest) {
    return ptx_kernel(1, neighbours + "cp.async.ca.shared.global [%r1], [%rd5], 4, 4;\n" + second + rest,
                      words_64 + ".shared .align 16 .b8 t[16];\n");
  };
  leaves(two("cp.async.wait_group 1;\nld.shared.u32 %r10, [s];\nst.global.u32 [%rd5+256], %r10;\n" + leave),
         {.threads = {1}});
  finds(two("cp.async.wait_group 1;\nld.shared.u32 %r10, [t];\nst.global.u32 [%rd5+256], %r10;\n" + leave),
        "an asynchronous copy", {.threads = {1}});
}

TEST_CASE("the target of an asynchronous copy belongs to it until then", "[ptx]") {
  finds(copies("st.shared.u32 [%r1], 5;\n"), "what an asynchronous copy is still writing", {.threads = {64}});
  finds(copies("cp.async.ca.shared.global [%r1], [%rd5], 4, 4;\n"), "what an asynchronous copy is still writing",
        {.threads = {64}});
  // Others may still read what was there: a barrier is missing before the copy.
  finds(ptx_kernel(1,
                   neighbours + "st.shared.u32 [%r1], 5;\nbar.sync 0;\nld.shared.u32 %r10, [%r2];\n"
                                "cp.async.ca.shared.global [%r1], [%rd5], 4, 4;\ncp.async.wait_all;",
                   words_64),
        "with no barrier between them", {.threads = {64}});
}

TEST_CASE("the source of an asynchronous copy must not change until then", "[ptx]") {
  const std::string wait = "cp.async.wait_all;\nbar.sync 0;\n";
  finds(copies("st.global.u32 [%rd5], 5;\n" + wait), "what an asynchronous copy is still reading", {.threads = {64}});
  // By another thread, two barriers before the copy is waited for.
  finds(copies("bar.sync 0;\nst.global.u32 [%rd0], 5;\nbar.sync 0;\n" + wait),
        "what an asynchronous copy is still reading", {.threads = {1}});
  finds(ptx_kernel(1,
                   neighbours +
                       "setp.ne.s32 %p1, %r0, 0;\n@!%p1 cp.async.ca.shared.global [s], [%rd0], 4, 4;\nbar.sync 0;\n"
                       "setp.ne.s32 %p2, %r0, 1;\n@!%p2 st.global.u32 [%rd0], 5;\nbar.sync 0;\ncp.async.wait_all;",
                   words_64),
        "what an asynchronous copy is still reading", {.threads = {64}});
  leaves(copies(wait + "st.global.u32 [%rd5], 5;\n"), {.threads = {64}});
}

TEST_CASE("asynchronous copies read the given bytes, and fill up with zeros", "[ptx]") {
  const std::string wait = "cp.async.wait_all;\nbar.sync 0;\n";
  const std::string short_copies =
      "setp.lt.s32 %p1, %r0, 8;\nselp.u32 %r6, 2, 0, %p1;\ncp.async.ca.shared.global [%r1], [%rd5], 4, %r6;\n";
  std::vector<u32> x(128, 0x11223344u);
  REQUIRE(run_ptx(copies(wait, short_copies), {.threads = {64}}, x).empty());
  for (u32 t = 0; t < 64; ++t) CHECK(x[64 + t] == ((t + 1) % 64 < 8 ? 0x3344u : 0u));
  finds(copies(wait, "cp.async.ca.shared.global [%r1], [%rd5], 4, 8;\n"), "reads 8 bytes for 4", {.threads = {64}});
  finds(copies(wait, "cp.async.ca.shared.global [%r1], [%rd5+2], 4, 4;\n"),
        "copies from an address that is not a multiple", {.threads = {64}});
  finds(copies(wait, "cp.async.cg.shared.global [%r1], [%rd5], 16, 16;\n"), "not a multiple", {.threads = {64}});
  finds(copies(wait, "cp.async.ca.shared.global [%r1], [%rd5+4096], 4, 4;\n"), "copies from 1 bytes of global memory",
        {.threads = {64}});
  finds(copies(wait, "cp.async.ca.shared.global [%r1+256], [%rd5], 4, 4;\n"),
        "copies to 4 bytes of shared memory at 256 of a variable of 256", {.threads = {1}});
}

// ---------------------------------------------------------------------------------------------------------------------

TEST_CASE("unsupported PTX is reported in one line, with the line's number", "[ptx]") {
  const auto error = [](const std::string& body) {
    std::vector<u32> x(32);
    return run_ptx(ptx_kernel(1, body), {}, x);
  };
  CHECK(error("nanosleep.u32 20;") == "PTX line 18: instruction 'nanosleep.u32 20' is not supported");
  CHECK(error("atom.global.add.u32 %r1, [%rd0], 1;") ==
        "PTX line 18: instruction 'atom.global.add.u32 %r1, [%rd0], 1' is not supported");
  CHECK(error("add.ftz.f32 %f1, %f2, %f3;") == "PTX line 18: instruction 'add.ftz.f32 %f1, %f2, %f3' is not supported");
  CHECK(error("add.s32 %r1, %r2, %q3;") == "PTX line 18: operand %q3 is not supported");
  CHECK(error("add.s32 %r1, %r2, %rd3;") == "PTX line 18: operand %rd3 is not supported");
  CHECK(error("bra $nowhere;") == "PTX line 18: label $nowhere is not supported");
  CHECK(error("$a:\nret;\n$a:\n") == "PTX line 20: a second label $a is not supported");
  CHECK(error("{\n.reg .b32 %x;\nmov.u32 %x, 1;\n}\nmov.u32 %r1, %x;") == "PTX line 22: operand %x is not supported");
  CHECK(error("ld.local.u32 %r1, [%rd0];") == "PTX line 18: 'ld.local.u32 %r1, [%rd0]' is not supported");
  CHECK(error("bar.sync 1;") == "PTX line 18: instruction 'bar.sync 1' is not supported");
  CHECK_THROWS_WITH(ptx::parse(".version 9.0\n.target sm_80\n.const .b8 table[4];\n"),
                    "PTX line 3: '.const .b8 table[4]' is not supported");
  CHECK_THROWS_WITH(ptx::parse(".visible .entry k()\n{\nret;\n"), "PTX line 4: a kernel without an end");
}

TEST_CASE("registers between braces hide those outside", "[ptx]") {
  const std::string body =
      ".reg .b32 %x;\nmov.u32 %x, 5;\n{\n.reg .b32 %x;\nmov.u32 %x, 7;\n{\n.reg .b32 %x;\nmov.u32 %x, 9;\n}\n"
      "add.s32 %r1, %x, 0;\n}\nmul.lo.s32 %r2, %x, 10;\nadd.s32 %r2, %r2, %r1;\nadd.s64 %rd5, %rd0, %rd4;\n"
      "st.global.u32 [%rd5], %r2;";
  for (const u32 x : leaves(ptx_kernel(1, body), {}, 32)) CHECK(x == 57);
}

TEST_CASE("statistics count instructions, bytes, sectors and turns of banks", "[ptx]") {
  const auto count = [](const std::string& body, ptx::dimensions threads) {
    const std::string text = ptx_kernel(1, body, ".shared .align 16 .b8 s[8192];\n");  // its views live as long
    const ptx::program p = ptx::parse(text);
    std::vector<u32> x(4096);
    ptx::global_memory memory;
    memory.add(x.data(), 4 * x.size(), true);
    ptx::grid g{.k = p.kernels[0], .blocks = {2}, .threads = threads, .params = {}};
    const auto address = reinterpret_cast<std::uint64_t>(x.data());
    g.params.resize(8);
    std::memcpy(g.params.data(), &address, 8);
    return ptx::run(g, memory);
  };
  ptx::statistics s = count("fma.rn.f32 %f1, 0f3F800000, 0f3F800000, 0f3F800000;\nadd.f32 %f2, %f1, %f1;", {33});
  CHECK(s.launches == 1);
  CHECK(s.blocks == 2);
  CHECK(s.threads == 66);
  CHECK(s.instructions[static_cast<int>(ptx::group::fma)] == 66);
  CHECK(s.instructions[static_cast<int>(ptx::group::floating)] == 66);
  CHECK(s.instructions[static_cast<int>(ptx::group::integer)] == 66);  // the one of every kernel here
  CHECK(s.instructions[static_cast<int>(ptx::group::memory)] == 66);   // its parameter
  CHECK(s.instructions[static_cast<int>(ptx::group::control)] == 66);  // its end
  // Two blocks read 32 words each: 128 bytes are four sectors where they follow each other, 32 where they do not.
  s = count("add.s64 %rd5, %rd0, %rd4;\nld.global.u32 %r10, [%rd5];", {32});
  CHECK(s.global_read == 256);
  CHECK(s.global_requests == 2);
  CHECK((s.global_sectors == 8 || s.global_sectors == 10));  // a vector of the host begins anywhere
  s = count("mul.wide.u32 %rd5, %r0, 64;\nadd.s64 %rd5, %rd0, %rd5;\nld.global.u32 %r10, [%rd5];", {32});
  CHECK(s.global_sectors == 64);
  const auto turns = [&](const std::string& stride, const std::string& access) {
    const ptx::statistics n =
        count("mov.u32 %r3, s;\nmul.lo.s32 %r4, %r0, " + stride + ";\nadd.s32 %r1, %r3, %r4;\n" + access, {32});
    return std::pair(n.shared_wavefronts / n.shared_requests, n.shared_least / n.shared_requests);
  };
  using pair = std::pair<std::uint64_t, std::uint64_t>;
  CHECK(turns("4", "ld.shared.u32 %r10, [%r1];") == pair(1, 1));
  CHECK(turns("8", "ld.shared.u32 %r10, [%r1];") == pair(2, 1));
  CHECK(turns("128", "ld.shared.u32 %r10, [%r1];") == pair(32, 1));
  CHECK(turns("0", "ld.shared.u32 %r10, [%r1];") == pair(1, 1));  // one word for all
  CHECK(turns("16", "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r1];") == pair(4, 4));
  CHECK(turns("32", "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r1];") == pair(8, 4));
}

}  // namespace
}  // namespace tern::test
