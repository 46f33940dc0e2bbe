//===- Messages.cpp - parts that other processes have ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All processes make the same plans and own lists of what goes from part to
// part. Of these each takes what it sends and what it gets, and puts what goes
// to one process into one message. What one array has on several parts of one
// process goes as often as plans say: copies are those of parts.
//
// What the host reads all processes get: they go on by it.
//
//===----------------------------------------------------------------------===//

#include "Parts/PartsDevice.h"

#include <algorithm>

using namespace arrt;
using namespace arrt::parts;

/// Bytes that are read at a time for other processes.
static constexpr int64_t mostRead = int64_t(1) << 26;

int32_t PartsDevice::fail(const std::string &text) {
  errorText = text;
  return ARRT_STATUS_DEVICE;
}

int32_t PartsDevice::inStep(const std::function<int32_t()> &run) {
  if (!ranks)
    return run();
  if (!ranks->beginStep())
    return fail(ranks->problem());
  int32_t status = run();
  if (!status)
    ranks->endStep();
  return status;
}

void PartsDevice::addMessage(size_t to, char *target, size_t from,
                             const char *source, int64_t bytes) {
  if (bytes <= 0)
    return;
  if (isHere(from))
    outgoing[places[to].rank].pieces.push_back(
        {from, const_cast<char *>(source), bytes});
  else if (isHere(to))
    incoming[places[from].rank].pieces.push_back({to, target, bytes});
}

int32_t PartsDevice::finishMessages() {
  if (outgoing.empty() && incoming.empty())
    return ARRT_STATUS_OK;
  auto isPlain = [&](const Packet &packet) {
    return packet.pieces.size() == 1 &&
           devices[packet.pieces[0].device]->isHostVisible();
  };
  auto getBytes = [](const Packet &packet) {
    int64_t bytes = 0;
    for (const Piece &piece : packet.pieces)
      bytes += piece.bytes;
    return bytes;
  };
  for (auto &[rank, packet] : incoming) {
    int64_t bytes = getBytes(packet);
    char *data = packet.pieces[0].data;
    if (!isPlain(packet)) {
      packet.packed.resize(size_t(bytes));
      data = packet.packed.data();
    }
    ranks->receive(rank, data, bytes);
  }
  int32_t status = ARRT_STATUS_OK;
  for (auto &[rank, packet] : outgoing) {
    const char *data = packet.pieces[0].data;
    if (!isPlain(packet)) {
      packet.packed.resize(size_t(getBytes(packet)));
      char *next = packet.packed.data();
      data = next;
      for (const Piece &piece : packet.pieces) {
        if (!status)
          status = check(piece.device, devices[piece.device]->copyOut(
                                           next, piece.data, piece.bytes));
        next += piece.bytes;
      }
    }
    ranks->send(rank, data, getBytes(packet));
  }
  if (!ranks->wait() && !status)
    status = fail(ranks->problem());
  for (auto &[rank, packet] : incoming) {
    const char *next = packet.packed.data();
    if (!packet.packed.empty())
      for (const Piece &piece : packet.pieces) {
        if (!status)
          status = check(piece.device, devices[piece.device]->copyIn(
                                           piece.data, next, piece.bytes));
        next += piece.bytes;
      }
  }
  outgoing.clear();
  incoming.clear();
  return status;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

int32_t PartsDevice::readOut(const Block &block, int64_t begin, int64_t end,
                             char *host, int only) {
  int32_t status = ARRT_STATUS_OK;
  block.owners.visit(
      begin, end, [&](int64_t low, int64_t high, uint64_t owners) {
        int64_t most = ranks ? mostRead : high - low;
        for (int64_t at = low; !status && at < high; at += most)
          status = readPiece(owners ? lowestDevice(owners) : 0, owners, block,
                             at, std::min(high, at + most),
                             host ? host + at - begin : nullptr, only);
      });
  return status;
}

int32_t PartsDevice::readPiece(size_t device, uint64_t owners,
                               const Block &block, int64_t begin, int64_t end,
                               char *host, int only) {
  auto read = [&](size_t from, char *to) {
    return check(from, devices[from]->copyOut(to, block.data[from] + begin,
                                              end - begin));
  };
  if (!ranks)
    return read(device, host);
  // Where all who want it have it, nothing is sent.
  size_t own = devices.size();
  uint64_t have = 0;
  for (size_t d = devices.size(); d-- > 0;) {
    if (!(owners >> d & 1))
      continue;
    have |= uint64_t(1) << places[d].rank;
    if (isHere(d))
      own = d;
  }
  uint64_t all =
      ranks->count() == 64 ? ~uint64_t(0) : (uint64_t(1) << ranks->count()) - 1;
  uint64_t wanted = only < 0 ? all : uint64_t(1) << only;
  bool isWanted = wanted >> ranks->rank() & 1;
  if ((have & wanted) == wanted)
    return isWanted ? read(own, host) : int32_t(ARRT_STATUS_OK);
  int from = places[device].rank;
  if (only < 0) {
    int32_t status = isHere(device) ? read(device, host) : ARRT_STATUS_OK;
    if (!status && !ranks->broadcast(from, host, end - begin))
      status = fail(ranks->problem());
    return status;
  }
  if (isWanted) {
    ranks->receive(from, host, end - begin);
  } else if (isHere(device)) {
    std::vector<char> sent(size_t(end - begin));
    if (int32_t status = read(device, sent.data()))
      return status;
    ranks->send(only, sent.data(), end - begin);
    return ranks->wait() ? int32_t(ARRT_STATUS_OK) : fail(ranks->problem());
  }
  return ranks->wait() ? int32_t(ARRT_STATUS_OK) : fail(ranks->problem());
}

int32_t PartsDevice::copyOutTo(int rank, void *host, const void *from,
                               int64_t bytes) {
  int64_t offset = 0;
  Block *block = find(from, offset);
  if (!block)
    return failOutside(from);
  bytesOut += bytes;
  return inStep([&] {
    return readOut(*block, offset, offset + bytes, static_cast<char *>(host),
                   rank);
  });
}

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

std::pair<int64_t, int64_t> PartsDevice::shareIn(int64_t bytes) const {
  int64_t first = bytes, last = 0;
  visitShares(bytes, [&](size_t device, int64_t begin, int64_t end) {
    if (!isHere(device))
      return;
    first = std::min(first, begin);
    last = std::max(last, end);
  });
  return {std::min(first, last), last};
}

std::vector<std::pair<int64_t, int64_t>> PartsDevice::shareOut(const void *from,
                                                               int64_t bytes) {
  std::vector<std::pair<int64_t, int64_t>> pieces;
  int64_t offset = 0;
  Block *block = find(from, offset);
  if (!block)
    return pieces;
  block->owners.visit(
      offset, offset + bytes, [&](int64_t begin, int64_t end, uint64_t owners) {
        if (!isHere(owners ? lowestDevice(owners) : 0))
          return;
        if (!pieces.empty() && pieces.back().second == begin - offset)
          pieces.back().second = end - offset;
        else
          pieces.push_back({begin - offset, end - offset});
      });
  return pieces;
}

int32_t PartsDevice::copyOutHere(void *host, const void *from, int64_t bytes) {
  int64_t offset = 0;
  Block *block = find(from, offset);
  if (!block)
    return failOutside(from);
  int32_t status = ARRT_STATUS_OK;
  block->owners.visit(
      offset, offset + bytes, [&](int64_t begin, int64_t end, uint64_t owners) {
        size_t device = owners ? lowestDevice(owners) : 0;
        if (!status && end > begin)
          status = isHere(device)
                       ? check(device,
                               devices[device]->copyOut(
                                   static_cast<char *>(host) + begin - offset,
                                   block->data[device] + begin, end - begin))
                       : failOutside(from);
      });
  bytesOut += bytes;
  return status;
}
