//===- Zip.h - the archives that NumPy writes ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `np.savez` writes a zip archive whose members `NAME.npy` are stored as they
/// are; `np.savez_compressed` deflates them, which is not read. Archives over
/// 4 GiB are (zip64). Source: PKWARE's APPNOTE.TXT.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_ZIP_H
#define ARRT_IO_ZIP_H

#include "IO/File.h"

#include <string>
#include <vector>

namespace arrt {

/// A member of an archive.
struct ZipMember {
  std::string name;
  bool stored = true; ///< as it is, neither compressed nor encrypted
  int64_t size = 0;
  uint32_t crc = 0;
  int64_t header = 0; ///< where its local header begins
};

/// Lists an archive. Returns "" or an error text.
std::string zipList(const InputFile &file, std::vector<ZipMember> &members);

/// Where the bytes of a stored member begin, checked to be inside the file.
/// Returns "" or an error text.
std::string zipLocate(const InputFile &file, const ZipMember &member,
                      int64_t &begin);

/// Writes an archive of stored members, one after the other. The functions
/// return false if the file cannot be written.
class ZipWriter {
public:
  explicit ZipWriter(OutputFile &file) : file(file) {}
  /// Writes a member of two parts.
  bool add(const std::string &name, const std::string &front, const void *data,
           int64_t bytes);
  /// Writes the directory.
  bool finish();

private:
  bool put(const std::string &bytes);
  OutputFile &file;
  int64_t offset = 0;
  int64_t members = 0;
  std::string directory;
};

} // namespace arrt

#endif // ARRT_IO_ZIP_H
