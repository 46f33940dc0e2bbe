//===- OutputPlace.h - where the bytes of an output go ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_OUTPUTPLACE_H
#define ARRT_IO_OUTPUTPLACE_H

#include <string>
#include <sys/types.h>

namespace arrt {

/// What the path of an output means.
struct OutputPlace {
  enum Kind {
    File,       ///< a regular file, there or not, that is replaced
    InPlace,    ///< a device or a pipe, that is written into
    Descriptor, ///< one that is open: /dev/stdout, /dev/fd/3
    Refused
  };
  Kind kind = Refused;
  std::string path;    ///< of a file: behind all links
  int descriptor = -1; ///< one that is open
  std::string problem; ///< why it is refused
  bool exists = false; ///< whether a file is there
  mode_t mode = 0;     ///< its rights

  /// Whether both are one file, there or not.
  bool isSame(const OutputPlace &other) const;

private:
  friend OutputPlace findOutputPlace(const std::string &path);
  /// The file if it is there, else its folder.
  dev_t device = 0;
  ino_t number = 0;
};

/// What stands before the last name of a path, to be put before another; "./"
/// if there is nothing.
std::string folderOf(const std::string &path);

/// Follows the links of a path, and looks whether this user may write there.
OutputPlace findOutputPlace(const std::string &path);

} // namespace arrt

#endif // ARRT_IO_OUTPUTPLACE_H
