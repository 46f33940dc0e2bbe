//===- NpyRead.cpp - reading a .npy file ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IO/NpyRead.h"
#include "Core/Array.h"
#include "Core/Printable.h"
#include "IO/Crc32.h"
#include "IO/NpyHeader.h"
#include "IO/Zip.h"

#include <algorithm>
#include <cstring>

using namespace arrt;

namespace {

/// What one task reads.
constexpr int64_t readBlock = int64_t(1) << 22;

struct ReadJob {
  const InputFile &file;
  int64_t offset;
  char *to;
  int64_t bytes;
  std::atomic<bool> failed{false};
  std::vector<uint32_t> sums{}; ///< of each block; empty if nobody asks
};

void readTask(void *env, int64_t begin, int64_t end, int64_t) {
  auto &job = *static_cast<ReadJob *>(env);
  for (int64_t block = begin; block < end; ++block) {
    int64_t lo = block * readBlock;
    int64_t hi = std::min(lo + readBlock, job.bytes);
    if (!job.file.read(job.offset + lo, job.to + lo, hi - lo))
      job.failed = true;
    else if (!job.sums.empty())
      job.sums[size_t(block)] = crc32(0, job.to + lo, hi - lo);
  }
}

/// The check sum of what stands before the blocks and of all of them.
uint32_t joinSums(const std::string &front, const ReadJob &job) {
  uint32_t sum = crc32(0, front.data(), int64_t(front.size()));
  for (size_t block = 0; block < job.sums.size(); ++block)
    sum =
        joinCrc32(sum, job.sums[block],
                  std::min(readBlock, job.bytes - int64_t(block) * readBlock));
  return sum;
}

template <typename T> void swapAll(T *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *bytes = reinterpret_cast<unsigned char *>(data + i);
    std::reverse(bytes, bytes + sizeof(T));
  }
}

void swapBytes(void *data, int64_t count, int32_t element) {
  int64_t bytes = arrt_element_bytes(element);
  if (element == ARRT_C64 || element == ARRT_C128) {
    bytes /= 2;
    count *= 2;
  }
  switch (bytes) {
  case 2:
    return swapAll(static_cast<uint16_t *>(data), count);
  case 4:
    return swapAll(static_cast<uint32_t *>(data), count);
  case 8:
    return swapAll(static_cast<uint64_t *>(data), count);
  }
}

struct TurnJob {
  const char *from;
  char *to;
  int32_t rank;
  int64_t bytes; ///< of an element
  int64_t sizes[ARRT_MAX_RANK];
};

/// Copies rows `begin` to `end` of the first dimension from column-major to
/// row-major order. Rows go in strips, so that the lines of the source that a
/// strip touches are used whole while they are in the cache.
void turnTask(void *env, int64_t begin, int64_t end, int64_t) {
  auto &job = *static_cast<TurnJob *>(env);
  int64_t inner = 1;
  for (int32_t d = 1; d < job.rank; ++d)
    inner *= job.sizes[d];
  constexpr int64_t strip = 64;
  for (int64_t lo = begin; lo < end; lo += strip) {
    int64_t hi = std::min(lo + strip, end);
    int64_t index[ARRT_MAX_RANK] = {};
    for (int64_t k = 0; k < inner; ++k) {
      // The source's place of (0, index[1..]): dimension 0 is contiguous.
      int64_t place = 0;
      for (int32_t d = job.rank - 1; d >= 1; --d)
        place = place * job.sizes[d] + index[d];
      const char *from = job.from + place * job.sizes[0] * job.bytes;
      for (int64_t i = lo; i < hi; ++i)
        std::memcpy(job.to + (i * inner + k) * job.bytes, from + i * job.bytes,
                    size_t(job.bytes));
      for (int32_t d = job.rank - 1; d >= 1; --d) {
        if (++index[d] < job.sizes[d])
          break;
        index[d] = 0;
      }
    }
  }
}

arrt_array *fail(arrt_context *ctx, const char *path, const std::string &why) {
  arrt_fail(ctx, ARRT_STATUS_IO, "error: cannot read '%s': %s",
            printable(path).c_str(), why.c_str());
  return nullptr;
}

} // namespace

arrt_array *arrt::readNpy(arrt_context *ctx, const InputFile &file,
                          int64_t begin, int64_t size, const char *path,
                          const uint32_t *sum) {
  uint8_t prefix[npyPrefixBytes];
  int64_t known = std::min<int64_t>(npyPrefixBytes, size);
  if (!file.read(begin, prefix, known))
    return fail(ctx, path, "it cannot be read to its end");
  int64_t offset = 0, length = 0;
  std::string error = npyPrefix(prefix, known, offset, length);
  if (!error.empty())
    return fail(ctx, path, error);
  if (length > size - offset)
    return fail(ctx, path, "it ends inside its header");
  std::string text(size_t(length), '\0');
  if (!file.read(begin + offset, &text[0], length))
    return fail(ctx, path, "it cannot be read to its end");
  NpyHeader header;
  error = npyParse(text.data(), length, header);
  if (!error.empty())
    return fail(ctx, path, error);

  // Before anything is allocated: does the file hold what the header says?
  int64_t bytes = 0;
  if (!byteCount(header.element, header.rank, header.sizes, bytes))
    return fail(ctx, path, "its header asks for more than 2^63 - 1 bytes");
  int64_t rest = size - offset - length;
  if (rest != bytes)
    return fail(ctx, path,
                "its header asks for " + std::to_string(bytes) +
                    " bytes of data, it holds " + std::to_string(rest));

  arrt_array *array =
      arrt_array_alloc_host(ctx, header.element, header.rank, header.sizes);
  if (!array) {
    failMemory(ctx, bytes, -1, path);
    return nullptr;
  }
  // The host reads and turns: what a device allocates is not in its reach.
  bool turn = header.fortranOrder && header.rank > 1 && bytes > 0;
  int64_t count = arrt_array_count(array);
  arrt_array *columns =
      turn ? arrt_array_alloc_host(ctx, header.element, 1, &count) : array;
  if (!columns) {
    arrt_array_release(array);
    failMemory(ctx, bytes, -1, path);
    return nullptr;
  }
  // Of what several processes share each reads what its devices get. What is
  // not read is not touched: it takes no memory.
  std::pair<int64_t, int64_t> share{0, bytes};
  if (ctx->readsShares && header.rank > 0 && !sum && !turn)
    share = ctx->device->shareIn(bytes);
  char *raw = static_cast<char *>(columns->data) + share.first;
  ReadJob job{file, begin + offset + length + share.first, raw,
              share.second - share.first};
  count = job.bytes / arrt_element_bytes(header.element);
  int64_t blocks = (job.bytes + readBlock - 1) / readBlock;
  if (sum)
    job.sums.resize(size_t(blocks));
  arrt_parallel(ctx, readTask, &job, blocks, 1);
  std::string front = std::string(prefix, prefix + offset) + text;
  bool isDamaged = sum && !job.failed && joinSums(front, job) != *sum;
  if (!job.failed && header.swapBytes)
    swapBytes(raw, count, header.element);
  if (turn && !job.failed) {
    TurnJob turned{raw,
                   static_cast<char *>(array->data),
                   header.rank,
                   arrt_element_bytes(header.element),
                   {}};
    std::copy_n(header.sizes, header.rank, turned.sizes);
    arrt_parallel(ctx, turnTask, &turned, header.sizes[0], 64);
  }
  if (turn)
    arrt_array_release(columns);
  if (job.failed || isDamaged) {
    arrt_array_release(array);
    return fail(ctx, path,
                isDamaged ? "it is damaged: its check sum is another"
                          : "it cannot be read to its end");
  }
  // Programs take it for granted that a bool is 0 or 1.
  if (header.element == ARRT_BOOL) {
    auto *flags = static_cast<uint8_t *>(array->data) + share.first;
    for (int64_t i = 0; i < count; ++i)
      flags[i] = flags[i] != 0;
  }
  return array;
}

arrt_array *arrt_load(arrt_context *ctx, const char *path) {
  InputFile file;
  if (file.open(ctx, path))
    return nullptr;
  return readNpy(ctx, file, 0, file.size(), path);
}

arrt_array *arrt_load_member(arrt_context *ctx, const char *path,
                             const char *name) {
  InputFile file;
  if (file.open(ctx, path))
    return nullptr;
  std::vector<ZipMember> members;
  std::string error = zipList(file, members);
  if (!error.empty())
    return fail(ctx, path, error);
  for (const ZipMember &member : members) {
    if (member.name != std::string(name) + ".npy")
      continue;
    int64_t begin = 0;
    error = zipLocate(file, member, begin);
    if (!error.empty())
      return fail(ctx, path, error);
    std::string what = path + (": " + member.name);
    return readNpy(ctx, file, begin, member.size, what.c_str(), &member.crc);
  }
  return fail(ctx, path, "it has no member '" + printable(name) + ".npy'");
}
