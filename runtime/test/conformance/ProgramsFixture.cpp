//===- ProgramsFixture.cpp - programs made by hand ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "conformance/Programs.h"

#include <iterator>

using namespace arrt_test;

static const arrt_site sites[] = {
    {"p.arr", 1, 1, ARRT_CHECK_ALLOC, 0, "y", nullptr},
    {"p.arr", 4, 9, ARRT_CHECK_INDEX, 0, "index {0} is out of bounds of {1}",
     nullptr},
    {"p.arr", 6, 1, ARRT_CHECK_DIVIDE, 0, "division by zero", nullptr},
};
static const arrt_kernel kernels[] = {
    {"axpy", 0, 0, "pp48"},
    {"fails", 0, 0, "e48"},
    {"blocks32", 0, 32, "p8oxox"},
    {"blocks64", 0, 64, "p8oxox"},
    {"step", 0, 0, "pp4"},
    {"one", 0, 0, "p"},
    {"forty", 0, 0, "pppppppppppppppppppppppppppppppppppppppp"},
};

void Programs::SetUp() {
  Conformance::SetUp();
  if (!device)
    return;
  device.reset();
  image = kernelsFor(subject.target);
  if (!image.data)
    GTEST_SKIP() << "runs no kernels";
  program = {};
  program.version = ARRT_ABI_VERSION;
  program.sites = sites;
  program.num_sites = 3;
  program.target = subject.target;
  program.file = "p.arr";
  program.num_images = 1;
  program.images = &image;
  program.num_kernels = int32_t(std::size(kernels));
  program.kernels = kernels;
  ctx = create();
  ASSERT_EQ(arrt_last_status(ctx), 0) << arrt_message(ctx);
}

arrt_context *Programs::create(uint32_t flags, bool onCPU) {
  arrt_options options = {};
  options.threads = 1;
  options.target = onCPU ? int32_t(ARRT_TARGET_CPU) : subject.target;
  options.device = onCPU ? 0 : subject.device;
  options.flags = flags;
  return arrt_context_create(&options);
}

int32_t Programs::call(arrt_context *ctx, arrt_packed_fn code,
                       std::vector<void *> args) {
  arrt_entry entry = {"f", code, 0, 0, nullptr, nullptr};
  return arrt_call(ctx, &program, &entry, args.data(), 0);
}
