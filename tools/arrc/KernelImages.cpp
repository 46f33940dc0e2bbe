//===- KernelImages.cpp - Kernels that are compiled when launched ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The program's object has images without bytes, and the runtime asks for one
// when it needs it. The kernels stay behind as text of the compiler. A program
// whose object came from the cache has none: an image that the cache lacks is
// then made from the program's files, if they still are those that the object
// was made from.
//
//===----------------------------------------------------------------------===//

#include "KernelImages.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

void KernelImages::take(mlir::ModuleOp module) {
  kernels = detachKernels(module);
}

std::string KernelImages::compile(int32_t number) {
  if (!kernels) {
    compiler = std::make_unique<Compiler>(line, target.options, timer);
    // The warnings came with the object.
    compiler->beQuiet();
    if (compiler->load())
      return "";
    if (!cache.isMadeOf(compiler->texts())) {
      complain(CannotReadOrWrite,
               "the files of '" + line.file + "' were changed while it ran");
      return "";
    }
    if (compiler->lowerTo(Level::GPU))
      return "";
    take(compiler->module());
  }
  mlir::Operation *wanted = nullptr;
  int32_t count = 0;
  for (auto module : kernels->getOps<mlir::gpu::GPUModuleOp>())
    if (count++ == number)
      wanted = module;
  if (!wanted)
    return "";
  mlir::OwningOpRef<mlir::ModuleOp> alone(
      cast<mlir::ModuleOp>((*kernels)->cloneWithoutRegions()));
  alone->getRegion().emplaceBlock();
  alone->getBody()->push_back(wanted->clone());
  PipelineOptions options;
  options.optLevel = line.optLevel;
  options.target = target.options;
  if (line.passes.isGiven()) {
    if (!passes && line.passes.choose(options, passes.emplace()))
      return "";
    options.passes = &*passes;
  }
  if (mlir::failed(lower(*alone, Stage::GPU, Stage::Images, options)))
    return "";
  for (auto binary : alone->getOps<mlir::gpu::BinaryOp>())
    return cast<mlir::gpu::ObjectAttr>(binary.getObjects()[0])
        .getObject()
        .str();
  return "";
}

int32_t KernelImages::make(arrt_context *ctx, int32_t number,
                           arrt_image &made) {
  auto start = std::chrono::steady_clock::now();
  std::string &text = texts[number];
  if (text.empty() && !cache.readImage(number, text)) {
    text = compile(number);
    if (text.empty())
      return arrt_fail(ctx, ARRT_STATUS_DEVICE,
                       "error: a kernel of the program cannot be compiled "
                       "for %s",
                       arrt_context_device(ctx));
    cache.writeImage(number, text);
  }
  made.data = text.c_str();
  made.bytes = int32_t(text.size());
  std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - start;
  milliseconds += took.count();
  return ARRT_STATUS_OK;
}
