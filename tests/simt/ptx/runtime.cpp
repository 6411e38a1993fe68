// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for the CUDA runtime, as far as tern and its tests use it (CUDA Runtime API 13.0; the functions that nvcc
// calls for a program's kernels are those of crt/host_runtime.h). Launches wait until somebody waits for them, so that
// what a call must not touch before shows. Errors are CUDA's, in CUDA's words.
#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string_view>

#include "tests/simt/ptx/executor.hpp"
#include "tests/simt/ptx/host_heap.hpp"

namespace ptx {
namespace {

/// Prints an error on one line and ends the program.
[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "ptx: %s\n", what.c_str());
  std::exit(3);
}

template <class T>
T one_of(const char* name, std::initializer_list<std::pair<const char*, T>> choices, T otherwise) {
  const char* const value = std::getenv(name);
  if (!value) return otherwise;
  std::string all;
  for (const auto& [text, choice] : choices) {
    if (std::strcmp(value, text) == 0) return choice;
    all += (all.empty() ? "" : ", ") + std::string(text);
  }
  die(std::string(name) + " is '" + value + "': it can be " + all);
}

template <class T>
T number_of(const char* name, T otherwise) {
  const char* const value = std::getenv(name);
  if (!value) return otherwise;
  const std::string_view text = value;
  T n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size())
    die(std::string(name) + " is '" + value + "': it must be a number from 0 to " +
        std::to_string(std::numeric_limits<T>::max()));
  return n;
}

options from_environment() {
  options o;
  o.order = one_of<thread_order>(
      "TERN_PTX_ORDER",
      {{"forward", thread_order::forward}, {"reverse", thread_order::reverse}, {"random", thread_order::random}},
      o.order);
  o.copies = one_of<copy_time>("TERN_PTX_COPIES", {{"early", copy_time::early}, {"late", copy_time::late}}, o.copies);
  o.architecture = one_of<int>("TERN_PTX_ARCH", {{"80", 80}, {"90", 90}}, o.architecture);
  o.seed = number_of("TERN_PTX_SEED", o.seed);
  o.most_steps = number_of("TERN_PTX_STEPS", o.most_steps);
  return o;
}

void write_report();

using work = std::function<void()>;

/// A program that nvcc left in the executable, decoded when the first of its kernels is asked for.
struct image {
  std::string text;
  int architecture = 0;
  std::unique_ptr<program> decoded;

  const program& get() {
    if (!decoded) try {
        decoded = std::make_unique<program>(parse(text));
      } catch (const std::runtime_error& e) {
        die(e.what());
      }
    return *decoded;
  }
};

struct gpu {
  options how = from_environment();
  global_memory memory;
  std::set<void*> allocations;  ///< of cudaMalloc
  std::deque<image> images;
  std::map<const void*, std::string> functions;
  std::map<const void*, int> shared_limits;
  std::deque<work> queue;
  bool capturing = false;
  std::vector<work> captured;
  cudaError_t sticky = cudaSuccess, last = cudaSuccess, refuse = cudaSuccess;
  std::vector<std::string> faults;
  std::map<std::string, statistics> done, taken;  ///< taken: what take_statistics has returned

  gpu() {
    if (std::getenv("TERN_PTX_REPORT")) std::atexit(write_report);
  }

  const kernel* find(const std::string& name) {
    const kernel* found = nullptr;
    int newest = 0;
    for (image& i : images)
      if (i.architecture <= how.architecture && i.architecture > newest)
        if (const kernel* const k = i.get().find(name)) found = k, newest = i.architecture;
    return found;
  }
  int most_shared() const { return (how.architecture >= 90 ? 227 : 163) * 1024; }

  cudaError_t result(cudaError_t e) {
    if (sticky != cudaSuccess) e = sticky;
    if (e != cudaSuccess) last = e;
    return e;
  }
  cudaError_t finish() {
    const own_memory own;
    while (!queue.empty()) {
      const work next = std::move(queue.front());
      queue.pop_front();
      if (sticky == cudaSuccess) next();
    }
    return result(cudaSuccess);
  }
  void start(work w) {
    if (capturing)
      captured.push_back(std::move(w));
    else
      queue.push_back(std::move(w));
    static const char* const blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    const bool at_once = how.at_once || (blocking && std::strcmp(blocking, "1") == 0);
    if (at_once && !capturing) finish();
  }
  void execute(const kernel& k, grid g) {
    g.order = how.order, g.copies = how.copies, g.seed = how.seed, g.most_steps = how.most_steps;
    if (how.order == thread_order::random) ++how.seed;
    try {
      done[k.name] += run(g, memory);
    } catch (const fault& f) {
      const std::string text =
          readable(k.name) + ": " + f.what() +
          (g.order == thread_order::random ? " (random order, seed " + std::to_string(g.seed) + ")" : "");
      if (how.print_faults) std::fprintf(stderr, "ptx: %s\n", text.c_str());
      faults.push_back(text);
      sticky = text.find("nobody allocated") != std::string::npos ? cudaErrorIllegalAddress : cudaErrorLaunchFailure;
    }
  }
};

gpu& device() {
  static gpu& g = *new gpu;  // outlives every static object that frees memory of it
  return g;
}

/// A line for every kernel of the program, also for those that were not launched.
void write_report() {
  const own_memory own;
  const char* const path = std::getenv("TERN_PTX_REPORT");
  std::FILE* const out = std::fopen(path, "w");
  const auto failed = [&] {
    std::fprintf(stderr, "ptx: the report '%s' could not be written\n", path);
    std::fflush(nullptr);
    std::_Exit(3);
  };
  if (!out) return failed();
  std::fputs("launches\tblocks\tthreads\tbarriers", out);
  for (const char* const name : group_names) std::fprintf(out, "\t%s", name);
  std::fputs(
      "\tglobal read\tglobal written\tglobal requests\tglobal sectors\tshared requests\tshared wavefronts\tshared least"
      "\tkernel\n",
      out);
  std::map<std::string, statistics> all = device().taken;
  for (const auto& [name, s] : device().done) all[name] += s;
  for (const auto& [function, name] : device().functions) all[name];
  for (const auto& [name, s] : all) {
    const auto number = [&](std::uint64_t n) { std::fprintf(out, "%llu\t", static_cast<unsigned long long>(n)); };
    for (const std::uint64_t n : {s.launches, s.blocks, s.threads, s.barriers}) number(n);
    for (const std::uint64_t n : s.instructions) number(n);
    for (const std::uint64_t n : {s.global_read, s.global_written, s.global_requests, s.global_sectors,
                                  s.shared_requests, s.shared_wavefronts, s.shared_least})
      number(n);
    std::fprintf(out, "%s\n", name.c_str());
  }
  const bool bad = std::ferror(out) != 0;
  if (std::fclose(out) != 0 || bad) failed();
}

/// The PTX texts of a fat binary: plain text if nvcc was told not to compress them.
void add_images(const void* data) {
  struct header {
    std::uint32_t magic;
    std::uint16_t version, bytes;
    std::uint64_t size;
  } h;
  std::memcpy(&h, data, sizeof h);
  if (h.magic != 0xba55ed50u) die("the program's device code is no fat binary of nvcc");
  const std::string_view all(static_cast<const char*>(data), h.bytes + h.size);
  bool found = false;
  for (std::size_t at = all.find("\n.version "); at != std::string_view::npos; at = all.find("\n.version ", at + 1)) {
    const std::size_t end = std::min(all.find('\0', at), all.size());
    image i;
    i.text = std::string(all.substr(at, end - at));
    const std::size_t target = i.text.find(".target sm_");
    if (target == std::string::npos) continue;
    i.architecture = std::atoi(i.text.c_str() + target + 11);
    device().images.push_back(std::move(i));
    found = true;
  }
  if (!found)
    die("the program has no PTX that can be read: compile with -gencode=arch=compute_80,code=compute_80 --no-compress");
}

}  // namespace

options& settings() { return device().how; }
void share_host_memory(void* first, std::size_t bytes) { device().memory.add(first, bytes, true); }
void unshare_host_memory(const void* first) { device().memory.remove(first); }
void refuse_next_launch(int error) { device().refuse = static_cast<cudaError_t>(error); }
void forget_faults() {
  device().sticky = device().last = cudaSuccess;
  device().faults.clear();
  device().queue.clear();
}
const std::vector<std::string>& faults() { return device().faults; }
std::map<std::string, statistics> take_statistics() {
  for (const auto& [name, s] : device().done) device().taken[name] += s;
  return std::exchange(device().done, {});
}
std::vector<std::uint32_t> parameter_bytes(const void* function) {
  const kernel* const k = device().find(device().functions.at(function));
  std::vector<std::uint32_t> bytes;
  for (const kernel::param& p : k->params) bytes.push_back(p.bytes);
  return bytes;
}
std::string readable(const std::string& mangled) {
  int status = 0;
  char* const text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  const auto replace = [&](const std::string& what, const std::string& with) {
    for (std::size_t at; (at = name.find(what)) != std::string::npos;) name.replace(at, what.size(), with);
  };
  const std::size_t isa = name.find("::isa_");
  if (isa != std::string::npos) replace(name.substr(isa, name.find("::", isa + 2) - isa), "");
  replace("tern::impl::", ""), replace("tern::", ""), replace("void ", "");
  return name.size() <= 160 ? name : name.substr(0, 157) + "...";
}

}  // namespace ptx

using ptx::device;

extern "C" {

// What nvcc calls.
void** __cudaRegisterFatBinary(void* wrapper) {
  struct {
    int magic, version;
    const void* data;
    void* file;
  } w;
  std::memcpy(&w, wrapper, sizeof w);
  ptx::add_images(w.data);
  static void* handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  device().functions[host] = name;
}

namespace {
struct configuration {
  dim3 blocks, threads;
  size_t shared;
  cudaStream_t stream;
};
std::vector<configuration> configurations;
}  // namespace

unsigned __cudaPushCallConfiguration(dim3 blocks, dim3 threads, size_t shared, cudaStream_t stream) {
  configurations.push_back({blocks, threads, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* blocks, dim3* threads, size_t* shared, void* stream) {
  const configuration c = configurations.back();
  configurations.pop_back();
  *blocks = c.blocks, *threads = c.threads, *shared = c.shared;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* k, const void* function) {
  *k = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 blocks, dim3 threads, void** values, size_t shared,
                             cudaStream_t) {
  const ptx::own_memory own;
  auto& gpu = device();
  if (gpu.refuse != cudaSuccess) return gpu.result(std::exchange(gpu.refuse, cudaSuccess));
  if (gpu.sticky != cudaSuccess) return gpu.result(cudaSuccess);
  const auto name = gpu.functions.find(function);
  if (name == gpu.functions.end()) return gpu.result(cudaErrorInvalidDeviceFunction);
  const ptx::kernel* const k = gpu.find(name->second);
  if (!k) return gpu.result(cudaErrorNoKernelImageForDevice);
  const ptx::dimensions b{blocks.x, blocks.y, blocks.z}, t{threads.x, threads.y, threads.z};
  if (b.count() == 0 || t.count() == 0 || t.count() > 1024 || b.x > 0x7fffffffu || b.y > 65535 || b.z > 65535 ||
      t.z > 64)
    return gpu.result(cudaErrorInvalidConfiguration);
  if (t.count() > k->most_threads) return gpu.result(cudaErrorInvalidValue);
  if (k->static_shared > 48 * 1024) return gpu.result(cudaErrorInvalidValue);
  const auto limit = gpu.shared_limits.find(function);
  if (shared > static_cast<size_t>(limit == gpu.shared_limits.end() ? 48 * 1024 - static_cast<int>(k->static_shared)
                                                                    : limit->second))
    return gpu.result(cudaErrorInvalidValue);
  ptx::grid g{.k = *k, .blocks = b, .threads = t, .dynamic_shared = static_cast<std::uint32_t>(shared), .params = {}};
  g.params.resize(k->param_bytes);
  for (std::size_t i = 0; i < k->params.size(); ++i)
    std::memcpy(g.params.data() + k->params[i].offset, values[i], k->params[i].bytes);
  gpu.start([k, g] { device().execute(*k, g); });
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 blocks, dim3 threads, void** values, size_t shared,
                               cudaStream_t s) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(k), blocks, threads, values, shared, s);
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute what, int value) {
  const ptx::own_memory own;
  auto& gpu = device();
  const auto name = gpu.functions.find(function);
  if (name == gpu.functions.end()) return gpu.result(cudaErrorInvalidDeviceFunction);
  const ptx::kernel* const k = gpu.find(name->second);
  if (!k) return gpu.result(cudaErrorNoKernelImageForDevice);
  if (what != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      value > gpu.most_shared() - static_cast<int>(k->static_shared))
    return gpu.result(cudaErrorInvalidValue);
  gpu.shared_limits[function] = value;
  return gpu.result(cudaSuccess);
}

// Memory. What is around an allocation belongs to nobody.
cudaError_t cudaMalloc(void** p, size_t bytes) {
  *p = nullptr;
  if (bytes == 0) return device().result(cudaSuccess);
  if (bytes > (size_t{1} << 40) || !(*p = std::aligned_alloc(256, (bytes + 511) / 256 * 256)))
    return device().result(cudaErrorMemoryAllocation);
  std::memset(*p, 0xff, bytes);  // NaN, for a host that copies what no kernel wrote
  const ptx::own_memory own;
  device().memory.add(*p, bytes, false);
  device().allocations.insert(*p);
  return device().result(cudaSuccess);
}
cudaError_t cudaMallocManaged(void** p, size_t bytes, unsigned) {
  const cudaError_t e = cudaMalloc(p, bytes);
  const ptx::own_memory own;
  if (e == cudaSuccess && bytes > 0) device().memory.add(*p, bytes, true);  // the host writes it unseen
  return e;
}
cudaError_t cudaFree(void* p) {
  const cudaError_t e = device().finish();
  if (!p) return e;
  const ptx::own_memory own;
  if (device().allocations.erase(p) == 0) return device().result(cudaErrorInvalidValue);
  device().memory.remove(p), std::free(p);
  return e;
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  const cudaError_t e = device().finish();
  if (e != cudaSuccess) return e;
  if (bytes > 0 && !device().memory.find(reinterpret_cast<std::uint64_t>(to), bytes))
    return device().result(cudaErrorInvalidValue);
  std::memset(to, value, bytes);
  device().memory.define(to, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t e = device().finish();
  if (e != cudaSuccess) return e;
  const auto there = [](const void* p, size_t n) {
    return n == 0 || device().memory.find(reinterpret_cast<std::uint64_t>(p), n) != nullptr;
  };
  bool from_gpu = false, to_gpu = false;
  switch (kind) {
    case cudaMemcpyHostToHost: break;
    case cudaMemcpyHostToDevice: to_gpu = true; break;
    case cudaMemcpyDeviceToHost: from_gpu = true; break;
    case cudaMemcpyDeviceToDevice: from_gpu = to_gpu = true; break;
    case cudaMemcpyDefault: from_gpu = there(from, 1), to_gpu = there(to, 1); break;  // by the addresses
    default: return device().result(cudaErrorInvalidMemcpyDirection);
  }
  if ((from_gpu && !there(from, bytes)) || (to_gpu && !there(to, bytes))) return device().result(cudaErrorInvalidValue);
  std::memcpy(to, from, bytes);
  if (to_gpu) device().memory.define_as(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) { return cudaMemset(to, value, bytes); }

// Errors and the GPU.
cudaError_t cudaGetLastError() {
  auto& gpu = device();
  return std::exchange(gpu.last, gpu.sticky);
}
cudaError_t cudaPeekAtLastError() { return device().last; }
const char* cudaGetErrorString(cudaError_t e) {
  switch (e) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInvalidMemcpyDirection: return "invalid copy direction for memcpy";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorInvalidDeviceFunction: return "invalid device function";
    case cudaErrorNoKernelImageForDevice: return "no kernel image is available for execution on the device";
    case cudaErrorInvalidResourceHandle: return "invalid resource handle";
    case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
    case cudaErrorLaunchOutOfResources: return "too many resources requested for launch";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    default: return "unrecognized error code";
  }
}
cudaError_t cudaGetDeviceCount(int* n) { return *n = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* n) { return *n = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int n) { return device().result(n == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  *p = cudaDeviceProp{};
  std::strcpy(p->name, "PTX executor");
  p->major = device().how.architecture / 10, p->minor = device().how.architecture % 10;
  p->multiProcessorCount = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) { return *value = 1, cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return device().finish(); }

// Streams, events and graphs: one queue, in the order of the calls.
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) {
  return *s = reinterpret_cast<cudaStream_t>(std::uintptr_t{16}), device().result(cudaSuccess);
}
cudaError_t cudaStreamCreate(cudaStream_t* s) { return cudaStreamCreateWithFlags(s, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t) { return device().finish(); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return device().finish(); }
cudaError_t cudaEventCreate(cudaEvent_t* e) {
  return *e = reinterpret_cast<cudaEvent_t>(std::uintptr_t{16}), device().result(cudaSuccess);
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return device().result(cudaSuccess); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return device().finish(); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) { return *ms = 1, device().finish(); }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  device().capturing = true;
  device().captured.clear();
  return device().result(cudaSuccess);
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* g) {
  device().capturing = false;
  *g = reinterpret_cast<cudaGraph_t>(new std::vector<ptx::work>(std::move(device().captured)));
  return device().result(cudaSuccess);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long) {
  *e = reinterpret_cast<cudaGraphExec_t>(new std::vector<ptx::work>(*reinterpret_cast<std::vector<ptx::work>*>(g)));
  return device().result(cudaSuccess);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t) {
  for (const ptx::work& w : *reinterpret_cast<std::vector<ptx::work>*>(e)) device().start(w);
  return device().result(cudaSuccess);
}
cudaError_t cudaGraphDestroy(cudaGraph_t g) {
  delete reinterpret_cast<std::vector<ptx::work>*>(g);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e) {
  delete reinterpret_cast<std::vector<ptx::work>*>(e);
  return cudaSuccess;
}

}  // extern "C"
