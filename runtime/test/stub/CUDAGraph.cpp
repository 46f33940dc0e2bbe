//===- CUDAGraph.cpp - graphs of a CUDA driver without a card -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "stub/CUDAState.h"

using namespace arrt::cuda;
using namespace stub;

extern "C" {

Result cuStreamBeginCapture_v2(StreamRef stream, CaptureMode) {
  ENTER_CURRENT(cuStreamBeginCapture);
  if (!isAlive(stream) || stream->captured)
    return invalidValue;
  stream->captured = calls().begin<CUgraph_st>();
  stream->isOwned = false;
  return success;
}
Result cuStreamEndCapture(StreamRef stream, GraphRef *graph) {
  if (isAlive(stream) && calls().failures.count("cuStreamEndCapture")) {
    // As the driver: the capture has ended, without a graph.
    if (!stream->isOwned)
      calls().end(stream->captured);
    stream->captured = nullptr;
  }
  ENTER_CURRENT(cuStreamEndCapture);
  if (!isAlive(stream) || !stream->captured)
    return invalidValue;
  *graph = stream->captured;
  stream->captured = nullptr;
  return success;
}
Result cuStreamBeginCaptureToGraph(StreamRef stream, GraphRef graph,
                                   const NodeRef *, const void *, size_t count,
                                   CaptureMode) {
  ENTER_CURRENT(cuStreamBeginCaptureToGraph);
  if (!isAlive(stream) || stream->captured || !isAlive(graph) || count)
    return invalidValue;
  stream->captured = graph;
  stream->isOwned = true;
  return success;
}
Result cuGraphCreate(GraphRef *graph, unsigned) {
  ENTER_CURRENT(cuGraphCreate);
  *graph = calls().begin<CUgraph_st>();
  return success;
}
Result cuGraphGetNodes(GraphRef graph, NodeRef *nodes, size_t *count) {
  ENTER_CURRENT(cuGraphGetNodes);
  if (!isAlive(graph))
    return invalidValue;
  if (nodes && *count)
    *nodes = &graph->node;
  *count = !graph->work->empty();
  return success;
}
Result cuGraphConditionalHandleCreate(ConditionHandle *handle, GraphRef graph,
                                      ContextRef, unsigned value, unsigned) {
  ENTER_CURRENT(cuGraphConditionalHandleCreate);
  if (!isAlive(graph))
    return invalidValue;
  graph->conditions.push_back(std::make_unique<uint64_t>(value));
  *handle = reinterpret_cast<uintptr_t>(graph->conditions.back().get());
  return success;
}
Result cuGraphAddNode(NodeRef *node, GraphRef graph, const NodeRef *before,
                      size_t count, NodeParameters *parameters) {
  ENTER_CURRENT(cuGraphAddNode);
  auto &about = parameters->conditional;
  // Behind all that is there, which is done in order.
  if (!isAlive(graph) || parameters->kind != nodeConditional ||
      about.count != 1 || count != 1 || *before != &graph->node)
    return invalidValue;
  auto *body = calls().begin<CUgraph_st>();
  graph->bodies.push_back(body);
  graph->bodies.reserve(16);
  about.bodies = &graph->bodies.back();
  *node = &graph->node;
  auto *value = reinterpret_cast<uint64_t *>(uintptr_t(about.handle));
  graph->work->push_back(
      [value, work = body->work, isLoop = about.kind == conditionWhile] {
        while (*value) {
          for (auto &part : *work)
            if (Result result = part())
              return result;
          if (!isLoop)
            break;
        }
        return success;
      });
  return success;
}
Result cuGraphInstantiateWithFlags(GraphExecRef *exec, GraphRef graph,
                                   unsigned long long) {
  ENTER_CURRENT(cuGraphInstantiate);
  if (!isAlive(graph))
    return invalidValue;
  *exec = calls().begin<CUgraphExec_st>();
  (*exec)->work = graph->work;
  return success;
}
Result cuGraphLaunch(GraphExecRef exec, StreamRef stream) {
  ENTER_CURRENT(cuGraphLaunch);
  if (!isAlive(exec) || !isAlive(stream))
    return invalidValue;
  for (auto &work : *exec->work)
    if (Result result = work())
      return result;
  return success;
}
Result cuGraphExecDestroy(GraphExecRef exec) {
  ENTER_CURRENT(cuGraphExecDestroy);
  return calls().end(exec) ? success : invalidValue;
}
Result cuGraphDestroy(GraphRef graph) {
  ENTER_CURRENT(cuGraphDestroy);
  return calls().end(graph) ? success : invalidValue;
}

} // extern "C"
