// Two programs on one context from two threads, and on contexts of their own;
// with an argument, on a card, in its memory.
#include "bodies.h"
#include "heat.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static void check(bool is, const char *what, const char *message = "") {
  if (is)
    return;
  std::printf("FAILED: %s %s\n", what, message);
  std::exit(1);
}

static void callHeat(arrt_context *ctx) {
  std::vector<float> plate(8 * 9, 1), settled(8 * 9);
  plate[0] = 2;
  int64_t iterations = 0;
  int32_t status =
      heat(ctx, 8, 9, plate.data(), 0, 5, settled.data(), &iterations);
  check(status == 0 && iterations == 5 && settled[0] < 2, "heat",
        arrt_message(ctx));
}

static void callBodies(arrt_context *ctx) {
  const float pos[] = {0, 1, 2, 3, 4, 5}, mass[] = {1, 3};
  float moved[6], total = 0, same[2], *found = nullptr;
  int64_t count = 0;
  check(bodies_step(ctx, 2, pos, mass, 0.5f, moved, same, &total) == 0, "step",
        arrt_message(ctx));
  check(moved[5] == 5.5f && total == 4 && same[1] == 3, "step's results");
  check(bodies_heavy(ctx, 2, pos, mass, 2, &found, &count) == 0, "heavy",
        arrt_message(ctx));
  check(count == 1 && found[0] == 3, "heavy's results");
  arrt_free(ctx, found);
}

static void callWrongly(arrt_context *ctx) {
  float x[3] = {}, value = 0;
  check(bodies_at(ctx, 3, x, 3, &value) == ARRT_STATUS_CHECK,
        "an index outside");
  check(std::strstr(arrt_message(ctx), "bodies.arr:11:"), "its place",
        arrt_message(ctx));
  check(bodies_at(ctx, -1, x, 0, &value) == ARRT_STATUS_INPUT,
        "a negative size");
  check(bodies_at(ctx, 3, nullptr, 0, &value) == ARRT_STATUS_USAGE,
        "a null pointer");
  check(bodies_at(ctx, 3, x, 0, nullptr) == ARRT_STATUS_USAGE,
        "no place for the result");
  check(bodies_at(ctx, 3, x, 2, &value) == 0, "the call behind",
        arrt_message(ctx));
}

static arrt_context *create(int32_t target, uint32_t flags) {
  arrt_options options = {};
  options.target = target;
  options.flags = flags;
  arrt_context *ctx = arrt_context_create(&options);
  check(ctx && arrt_last_status(ctx) == 0, "a context", arrt_message(ctx));
  return ctx;
}

/// Runs on pointers to memory of the card.
static void callOnCard() {
  arrt_context *ctx = create(ARRT_TARGET_CUDA, ARRT_OPTION_DEVICE_POINTERS);
  const float pos[] = {0, 1, 2, 3, 4, 5}, mass[] = {1, 3};
  auto *memory = static_cast<float *>(arrt_buffer_alloc(ctx, 4096, -1));
  float *there[] = {memory, memory + 64, memory + 128, memory + 192};
  arrt_write(ctx, there[0], pos, sizeof pos);
  arrt_write(ctx, there[1], mass, sizeof mass);
  float total = 0, back[6], *found = nullptr;
  int64_t count = 0;
  check(bodies_step(ctx, 2, there[0], there[1], 0.5f, there[2], there[3],
                    &total) == 0,
        "step", arrt_message(ctx));
  arrt_read(ctx, back, there[2], sizeof back);
  check(total == 4 && back[5] == 5.5f, "the card's results");
  check(bodies_heavy(ctx, 2, there[0], there[1], 2, &found, &count) == 0,
        "heavy", arrt_message(ctx));
  arrt_read(ctx, back, found, sizeof(float));
  check(count == 1 && back[0] == 3, "the card's new memory");
  arrt_free(ctx, found);
  arrt_buffer_free(ctx, memory);
  check(arrt_memory_in_use(ctx) == 0, "nothing is left");
  arrt_context_destroy(ctx);
}

int main(int argc, char **) {
  int32_t target = argc > 1 ? ARRT_TARGET_CUDA : ARRT_TARGET_CPU;
  arrt_context *shared = create(target, 0);
  std::mutex turns;
  auto work = [&](void (*call)(arrt_context *)) {
    arrt_context *own = create(target, 0);
    for (int i = 0; i < 20; ++i) {
      call(own);
      std::lock_guard<std::mutex> lock(turns);
      call(shared);
    }
    check(arrt_memory_in_use(own) == 0, "nothing is left");
    arrt_context_destroy(own);
  };
  std::thread one(work, callHeat), other(work, callBodies);
  one.join();
  other.join();
  callWrongly(shared);
  arrt_context_destroy(shared);
  if (target == ARRT_TARGET_CUDA)
    callOnCard();
  std::printf("consumer: ok\n");
}
