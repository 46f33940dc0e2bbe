//===- KernelImages.h - Kernels that are compiled when launched -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_KERNELIMAGES_H
#define ARRC_TOOLS_ARRC_KERNELIMAGES_H

#include "Compiler.h"
#include "ObjectCache.h"
#include "Target.h"

#include "arrt/arrt.h"

#include <map>

namespace arrc::tool {

/// The images of a program that runs in memory. A program holds its kernels in
/// several versions, of which a run launches few: an image is compiled when a
/// kernel of it is launched. What was compiled is kept in the cache.
class KernelImages {
public:
  KernelImages(const CommandLine &line, const Target &target,
               ObjectCache &cache)
      : line(line), target(target), cache(cache) {}

  /// Whether the kernels of a target are compiled one by one.
  static bool isLazy(const TargetOptions &target) {
    return target.name == "cuda";
  }
  /// Takes the kernels out of a module at their stage; what launches them
  /// stays.
  void take(mlir::ModuleOp module);
  /// Makes an image, as arrt_image_fn says.
  int32_t make(arrt_context *ctx, int32_t number, arrt_image &made);
  /// What all images together took, in milliseconds.
  double getMilliseconds() const { return milliseconds; }

private:
  /// Compiles an image; "" after an error, whose messages are out.
  std::string compile(int32_t number);

  const CommandLine &line;
  const Target &target;
  ObjectCache &cache;
  /// Reads the program again where only its object was in the cache.
  Timer timer;
  std::unique_ptr<Compiler> compiler;
  mlir::OwningOpRef<mlir::ModuleOp> kernels;
  /// The passes that a person chose, once they are known.
  std::optional<PassList> passes;
  std::map<int32_t, std::string> texts;
  double milliseconds = 0;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_KERNELIMAGES_H
