//===- LoopGraph.cpp - a loop that a card runs by itself ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Conditional nodes of graphs (CUDA 12.4). With phases a, b, c that take turns:
//
//   decide(a)
//   while (loop) { a; decide(b); if (b) { b; decide(c); if (c) { c; decide(a) }
//   } }
//
// `decide` is a kernel of ours: it looks at the condition of the phase that is
// next and at how many steps may still be run, counts a step that was done, and
// sets the condition of the node; the function it calls is the driver's own.
// Where anything of this is missing there is no loop, and the host runs it.
//
//===----------------------------------------------------------------------===//

#include "CUDA/CUDADevice.h"

#include <vector>

using namespace arrt;
using namespace arrt::cuda;

/// decide(next, loop, condition, left, steps): left -= steps; next gets whether
/// condition and left say to go on, and loop gets 0 if they do not.
static const char decidePTX[] = R"(
.version 6.4
.target sm_75
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry arrt_decide(.param .u64 next, .param .u64 loop,
                            .param .u64 condition, .param .u64 left,
                            .param .u64 steps)
{
  .reg .pred %isTrue, %isLeft, %goes, %isLoop;
  .reg .b16 %byte;
  .reg .b32 %value;
  .reg .b64 %next, %loop, %condition, %place, %left, %steps;
  ld.param.u64 %next, [next];
  ld.param.u64 %loop, [loop];
  ld.param.u64 %condition, [condition];
  ld.param.u64 %place, [left];
  ld.param.u64 %steps, [steps];
  cvta.to.global.u64 %condition, %condition;
  cvta.to.global.u64 %place, %place;
  ld.global.u8 %byte, [%condition];
  ld.global.s64 %left, [%place];
  sub.s64 %left, %left, %steps;
  st.global.u64 [%place], %left;
  setp.ne.s16 %isTrue, %byte, 0;
  setp.gt.s64 %isLeft, %left, 0;
  and.pred %goes, %isTrue, %isLeft;
  selp.u32 %value, 1, 0, %goes;
  {
    .param .b64 handle;
    .param .b32 number;
    st.param.b64 [handle], %next;
    st.param.b32 [number], %value;
    call.uni cudaGraphSetConditional, (handle, number);
  }
  setp.eq.u64 %isLoop, %next, %loop;
  or.pred %goes, %goes, %isLoop;
  @%goes bra done;
  {
    .param .b64 handle;
    .param .b32 number;
    st.param.b64 [handle], %loop;
    st.param.b32 [number], 0;
    call.uni cudaGraphSetConditional, (handle, number);
  }
done:
  ret;
}
)";

namespace arrt::cuda {
/// A loop as a graph.
class CUDALoop final : public arrt::LoopGraph {
public:
  explicit CUDALoop(CUDADevice &device)
      : device(device), driver(device.driver) {}
  ~CUDALoop() override;
  /// Makes the graph; false if the driver does not.
  bool build(const std::vector<Phase> &phases);
  int32_t run(int64_t most, int64_t &times) override;

private:
  /// Puts what `start` starts into a graph.
  bool fill(GraphRef target, const std::function<bool()> &start);
  /// Starts the kernel above.
  bool decide(ConditionHandle next, const void *condition, int64_t steps);
  /// Adds a node behind all that is in a graph; its body, or null.
  GraphRef addConditional(GraphRef target, ConditionHandle handle,
                          ConditionKind kind);
  bool makeHandle(ConditionHandle &handle) {
    return driver.cuGraphConditionalHandleCreate(&handle, graph, device.context,
                                                 0, 0) == success;
  }

  CUDADevice &device;
  const Driver &driver;
  Address left = 0; ///< how many steps may still be run
  GraphRef graph = nullptr;
  GraphExecRef exec = nullptr;
  ConditionHandle loop = 0;
};
} // namespace arrt::cuda

bool CUDALoop::fill(GraphRef target, const std::function<bool()> &start) {
  if (driver.cuStreamBeginCaptureToGraph(device.stream, target, nullptr,
                                         nullptr, 0, captureRelaxed) != success)
    return false;
  bool isStarted = start();
  GraphRef same = nullptr;
  return driver.cuStreamEndCapture(device.stream, &same) == success &&
         isStarted;
}

bool CUDALoop::decide(ConditionHandle next, const void *condition,
                      int64_t steps) {
  void *args[] = {&next, &loop, &condition, &left, &steps};
  return driver.cuLaunchKernel(device.decide, 1, 1, 1, 1, 1, 1, 0,
                               device.stream, args, nullptr) == success;
}

GraphRef CUDALoop::addConditional(GraphRef target, ConditionHandle handle,
                                  ConditionKind kind) {
  size_t count = 0;
  if (driver.cuGraphGetNodes(target, nullptr, &count) != success)
    return nullptr;
  std::vector<NodeRef> before(count);
  if (driver.cuGraphGetNodes(target, before.data(), &count) != success)
    return nullptr;
  NodeParameters parameters;
  parameters.conditional = {handle, kind, 1, nullptr, device.context};
  NodeRef node = nullptr;
  if (driver.cuGraphAddNode(&node, target, before.data(), count, &parameters) !=
          success ||
      !parameters.conditional.bodies)
    return nullptr;
  return parameters.conditional.bodies[0];
}

bool CUDALoop::build(const std::vector<Phase> &phases) {
  if (!driver.cuGraphInstantiate || !driver.cuGraphAddNode ||
      !driver.cuGraphConditionalHandleCreate ||
      !driver.cuStreamBeginCaptureToGraph ||
      driver.cuCtxSetCurrent(device.context) != success ||
      !device.loadDecide() || driver.cuMemAlloc(&left, 8) != success ||
      driver.cuGraphCreate(&graph, 0) != success || !makeHandle(loop))
    return false;
  if (!fill(graph, [&] { return decide(loop, phases[0].condition, 0); }))
    return false;
  GraphRef body = addConditional(graph, loop, conditionWhile);
  for (size_t p = 0; body && p < phases.size(); ++p) {
    bool isLast = p + 1 == phases.size();
    ConditionHandle next = loop;
    if (!isLast && !makeHandle(next))
      return false;
    const Phase &after = phases[isLast ? 0 : p + 1];
    if (!fill(body, [&] {
          return phases[p].run() == ARRT_STATUS_OK &&
                 decide(next, after.condition, 1);
        }))
      return false;
    if (!isLast)
      body = addConditional(body, next, conditionIf);
  }
  return body && driver.cuGraphInstantiate(&exec, graph, 0) == success;
}

CUDALoop::~CUDALoop() {
  driver.cuCtxSetCurrent(device.context);
  driver.cuStreamSynchronize(device.stream);
  if (exec)
    driver.cuGraphExecDestroy(exec);
  if (graph)
    driver.cuGraphDestroy(graph);
  if (left)
    driver.cuMemFree(left);
}

int32_t CUDALoop::run(int64_t most, int64_t &times) {
  void *place = reinterpret_cast<void *>(uintptr_t(left));
  int64_t rest = most;
  times = 0;
  if (int32_t status = device.copyIn(place, &most, sizeof most))
    return status;
  if (int32_t status = device.check(driver.cuGraphLaunch(exec, device.stream),
                                    "cuGraphLaunch"))
    return status;
  if (int32_t status = device.copyOut(&rest, place, sizeof rest))
    return status;
  times = most - rest;
  return ARRT_STATUS_OK;
}

bool CUDADevice::loadDecide() {
  if (decideModule)
    return decide;
  if (driver.cuModuleLoadData(&decideModule, decidePTX) != success) {
    decideModule = nullptr;
    return false;
  }
  if (driver.cuModuleGetFunction(&decide, decideModule, "arrt_decide") !=
      success)
    decide = nullptr;
  return decide;
}

std::unique_ptr<LoopGraph>
CUDADevice::captureLoop(const std::vector<Phase> &phases) {
  return captured([&]() -> std::unique_ptr<LoopGraph> {
    auto loop = std::make_unique<CUDALoop>(*this);
    return loop->build(phases) ? std::move(loop) : nullptr;
  });
}
