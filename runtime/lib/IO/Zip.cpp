//===- Zip.cpp - the archives that NumPy writes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IO/Zip.h"
#include "Core/Printable.h"
#include "IO/Crc32.h"

#include <algorithm>

using namespace arrt;

namespace {

constexpr uint32_t localMark = 0x04034b50, entryMark = 0x02014b50,
                   endMark = 0x06054b50, end64Mark = 0x06064b50,
                   locator64Mark = 0x07064b50;
constexpr int64_t endBytes = 22, longestComment = 65535, locatorBytes = 20,
                  entryBytes = 46, localBytes = 30;
/// No sensible archive of arrays has a longer directory.
constexpr int64_t longestDirectory = int64_t(1) << 24;

/// Little-endian numbers out of bytes that are known to be there.
uint64_t number(const std::string &bytes, size_t at, int count) {
  uint64_t value = 0;
  for (int b = count; b-- > 0;)
    value = value << 8 | uint8_t(bytes[at + size_t(b)]);
  return value;
}

void append(std::string &bytes, uint64_t value, int count) {
  for (int b = 0; b < count; ++b, value >>= 8)
    bytes += char(value & 0xff);
}

/// Reads part of a file; "" if it is not all there.
std::string part(const InputFile &file, int64_t at, int64_t count) {
  if (at < 0 || count < 0 || at > file.size() || count > file.size() - at)
    return "";
  std::string bytes(size_t(count), '\0');
  return file.read(at, &bytes[0], count) ? bytes : "";
}

/// Replaces sizes that say "see the zip64 field" by what that says.
bool readExtra(const std::string &extra, uint64_t *fields, int count) {
  for (size_t at = 0; at + 4 <= extra.size();) {
    size_t id = number(extra, at, 2), size = number(extra, at + 2, 2);
    at += 4;
    if (size > extra.size() - at)
      return false;
    if (id == 1) {
      size_t end = at + size;
      for (int f = 0; f < count; ++f) {
        if (fields[f] != 0xffffffff)
          continue;
        if (end - at < 8)
          return false;
        fields[f] = number(extra, at, 8);
        at += 8;
      }
      return true;
    }
    at += size;
  }
  return true;
}

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string arrt::zipList(const InputFile &file,
                          std::vector<ZipMember> &members) {
  const std::string broken = "its directory is broken";
  // The end record is the last thing in the file but for a comment.
  int64_t tailBytes = std::min(file.size(), endBytes + longestComment);
  std::string tail = part(file, file.size() - tailBytes, tailBytes);
  int64_t end = int64_t(tail.size()) - endBytes;
  while (end >= 0 && number(tail, size_t(end), 4) != endMark)
    --end;
  if (end < 0)
    return "it is not an archive, or it is cut off";
  uint64_t count = number(tail, size_t(end) + 10, 2);
  uint64_t bytes = number(tail, size_t(end) + 12, 4);
  uint64_t offset = number(tail, size_t(end) + 16, 4);
  if (count == 0xffff || bytes == 0xffffffff || offset == 0xffffffff) {
    int64_t at = file.size() - tailBytes + end - locatorBytes;
    std::string locator = part(file, at, locatorBytes);
    if (locator.empty() || number(locator, 0, 4) != locator64Mark)
      return broken;
    std::string big = part(file, int64_t(number(locator, 8, 8)), 56);
    if (big.empty() || number(big, 0, 4) != end64Mark)
      return broken;
    count = number(big, 32, 8);
    bytes = number(big, 40, 8);
    offset = number(big, 48, 8);
  }
  if (bytes > uint64_t(longestDirectory) || offset > uint64_t(file.size()))
    return broken;
  std::string directory = part(file, int64_t(offset), int64_t(bytes));
  size_t at = 0;
  for (uint64_t m = 0; m < count; ++m) {
    if (directory.size() - at < size_t(entryBytes) ||
        number(directory, at, 4) != entryMark)
      return broken;
    size_t name = number(directory, at + 28, 2),
           extra = number(directory, at + 30, 2),
           comment = number(directory, at + 32, 2);
    if (directory.size() - at - size_t(entryBytes) < name + extra + comment)
      return broken;
    uint64_t fields[3] = {number(directory, at + 24, 4),
                          number(directory, at + 20, 4),
                          number(directory, at + 42, 4)};
    if (!readExtra(directory.substr(at + size_t(entryBytes) + name, extra),
                   fields, 3))
      return broken;
    ZipMember member;
    member.name = directory.substr(at + size_t(entryBytes), name);
    bool encrypted = number(directory, at + 8, 2) & 1;
    member.stored = number(directory, at + 10, 2) == 0 && !encrypted;
    if (fields[0] > uint64_t(INT64_MAX) || fields[2] > uint64_t(INT64_MAX) ||
        (member.stored && fields[0] != fields[1]))
      return broken;
    member.size = int64_t(fields[0]);
    member.crc = uint32_t(number(directory, at + 16, 4));
    member.header = int64_t(fields[2]);
    members.push_back(member);
    at += size_t(entryBytes) + name + extra + comment;
  }
  return "";
}

std::string arrt::zipLocate(const InputFile &file, const ZipMember &member,
                            int64_t &begin) {
  if (!member.stored)
    return "its member '" + printable(member.name) +
           "' is compressed; write it by np.savez instead of "
           "np.savez_compressed";
  std::string local = part(file, member.header, localBytes);
  if (local.empty() || number(local, 0, 4) != localMark)
    return "its member '" + printable(member.name) +
           "' is not where it should be";
  begin = member.header + localBytes + int64_t(number(local, 26, 2)) +
          int64_t(number(local, 28, 2));
  if (begin > file.size() || member.size > file.size() - begin)
    return "its member '" + printable(member.name) + "' is cut off";
  return "";
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

bool ZipWriter::put(const std::string &bytes) {
  offset += int64_t(bytes.size());
  return file.write(bytes.data(), int64_t(bytes.size()));
}

bool ZipWriter::add(const std::string &name, const std::string &front,
                    const void *data, int64_t bytes) {
  uint32_t crc = crc32(0, front.data(), int64_t(front.size()));
  crc = crc32(crc, data, bytes);
  uint64_t size = front.size() + uint64_t(bytes);
  // Always with the zip64 field, as NumPy does: no size is a special case.
  std::string common; // from the version to the length of the name
  append(common, 45, 2);
  append(common, 0, 4);          // no flags, stored
  append(common, 0x00210000, 4); // midnight of 1980-01-01: the same bytes again
  append(common, crc, 4);
  append(common, 0xffffffff, 4);
  append(common, 0xffffffff, 4);
  append(common, name.size(), 2);
  std::string local, extra;
  append(extra, 1, 2);
  append(extra, 16, 2);
  append(extra, size, 8);
  append(extra, size, 8);
  append(local, localMark, 4);
  local += common;
  append(local, extra.size(), 2);
  local += name + extra;

  std::string wide;
  append(wide, 1, 2);
  append(wide, 24, 2);
  append(wide, size, 8);
  append(wide, size, 8);
  append(wide, uint64_t(offset), 8);
  append(directory, entryMark, 4);
  append(directory, 45, 2);
  directory += common;
  append(directory, wide.size(), 2);
  append(directory, 0, 6);          // no comment, disk 0, no attributes
  append(directory, 0x01800000, 4); // rw-------
  append(directory, 0xffffffff, 4);
  directory += name + wide;
  ++members;

  if (!put(local + front))
    return false;
  offset += bytes;
  return file.write(data, bytes);
}

bool ZipWriter::finish() {
  std::string tail;
  append(tail, end64Mark, 4);
  append(tail, 44, 8);
  append(tail, 45, 2);
  append(tail, 45, 2);
  append(tail, 0, 8);
  append(tail, uint64_t(members), 8);
  append(tail, uint64_t(members), 8);
  append(tail, directory.size(), 8);
  append(tail, uint64_t(offset), 8);
  append(tail, locator64Mark, 4);
  append(tail, 0, 4);
  append(tail, uint64_t(offset) + directory.size(), 8);
  append(tail, 1, 4);
  append(tail, endMark, 4);
  append(tail, 0, 4);
  append(tail, std::min<int64_t>(members, 0xffff), 2);
  append(tail, std::min<int64_t>(members, 0xffff), 2);
  append(tail, 0xffffffff, 4);
  append(tail, 0xffffffff, 4);
  append(tail, 0, 2);
  return put(directory + tail);
}
