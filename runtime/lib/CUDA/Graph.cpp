//===- Graph.cpp - recorded work as a graph of the driver -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The stream is put into capture mode and the work is started as ever: the
// driver keeps it. One call starts all of a graph then, where each launch costs
// one otherwise. Whatever goes wrong on the way there gives no graph: the list
// of commands is right without.
//
//===----------------------------------------------------------------------===//

#include "CUDA/CUDADevice.h"

using namespace arrt;
using namespace arrt::cuda;

std::unique_ptr<arrt::Graph>
CUDADevice::capture(const std::function<int32_t()> &run) {
  return captured([&] { return captureOnce(run); });
}

std::unique_ptr<arrt::Graph>
CUDADevice::captureOnce(const std::function<int32_t()> &run) {
  if (!driver.cuGraphInstantiate || driver.cuCtxSetCurrent(context) != success)
    return nullptr;
  // Relaxed: other threads of the process may do with the card what they want.
  if (driver.cuStreamBeginCapture(stream, captureRelaxed) != success)
    return nullptr;
  bool isStarted = run() == ARRT_STATUS_OK;
  GraphRef graph = nullptr;
  bool isWhole = driver.cuStreamEndCapture(stream, &graph) == success && graph;
  GraphExecRef exec = nullptr;
  if (isStarted && isWhole &&
      driver.cuGraphInstantiate(&exec, graph, 0) != success)
    exec = nullptr;
  if (graph)
    driver.cuGraphDestroy(graph);
  return exec ? std::make_unique<CUDAGraph>(*this, exec) : nullptr;
}

CUDAGraph::~CUDAGraph() {
  device.driver.cuCtxSetCurrent(device.context);
  device.driver.cuStreamSynchronize(device.stream);
  device.driver.cuGraphExecDestroy(exec);
}

int32_t CUDAGraph::launch() {
  if (int32_t status = device.check(
          device.driver.cuCtxSetCurrent(device.context), "cuCtxSetCurrent"))
    return status;
  return device.check(device.driver.cuGraphLaunch(exec, device.stream),
                      "cuGraphLaunch");
}
