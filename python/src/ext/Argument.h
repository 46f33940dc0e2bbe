//===- Argument.h - What a caller hands over --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_ARGUMENT_H
#define ARRC_PYTHON_ARGUMENT_H

#include "Array.h"
#include "DLPack.h"
#include "Element.h"

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

namespace arrc::python {

/// One argument of a call. It is made from a Python object, made a handle of
/// the runtime without Python's lock, and destroyed with it.
class Argument {
public:
  Argument() = default;
  Argument(Argument &&) = default;
  ~Argument();

  /// Looks at what was given for a parameter; null is its default. `device` is
  /// where the program runs. Throws what the caller is to see.
  void take(nanobind::handle value, const arrt_param &param,
            const std::shared_ptr<Device> &device);
  /// Whether it is an array of the host that is not dense and row-major.
  bool isStrided() const { return kind == Kind::Memory && !strides.empty(); }
  /// Whether it is memory on the device of the call that others work on.
  bool isForeignOn(const std::shared_ptr<Device> &device) const {
    return kind == Kind::Memory && !isHost && home == device;
  }
  /// Makes the handle of memory on another device than the call's, whose lock
  /// is not held, in the context of that one: the call copies what it needs.
  int32_t makeAbroad(const std::shared_ptr<Device> &device,
                     std::string &message);
  /// Makes every other handle, in the context of `device`, whose lock is held
  /// and whose work, where the memory is foreign, is done.
  /// Returns a status, whose message is in that context.
  int32_t make(const std::shared_ptr<Device> &device);
  /// The pointer that the packed form of an export wants.
  void *slot() { return kind == Kind::Scalar ? (void *)cell.bytes : &array; }
  /// Whether memory is a part of the argument's.
  bool holds(const void *data) const;
  /// Gives the handle back; Python's lock is not needed.
  void unmake();

private:
  enum class Kind { Scalar, Default, Own, Memory };
  bool takeBuffer(nanobind::handle value, const arrt_param &param);
  bool takeDLPack(nanobind::handle value, const arrt_param &param);
  void takeTensor(const dlpack::Tensor &tensor, const arrt_param &param);
  bool takeCUDA(nanobind::handle value, const arrt_param &param,
                const Device &device);
  void setStrides(const int64_t *given, int64_t unit);
  void checkElement(int32_t found, const std::string &name,
                    const arrt_param &param) const;
  void checkRank(const arrt_param &param, int64_t found) const;
  int32_t copyStrided(arrt_context *ctx);
  int32_t copyDefault(arrt_context *ctx);
  int32_t borrowAtHome();

  Kind kind = Kind::Scalar;
  const arrt_param *param = nullptr;
  Cell cell;
  /// Memory of somebody else: where it is, and who keeps it.
  char *data = nullptr;
  int64_t shape[ARRT_MAX_RANK] = {};
  std::vector<int64_t> strides; ///< in bytes; none: dense, row-major
  bool isHost = true;
  std::shared_ptr<Device> home; ///< of memory that is not the host's
  std::unique_ptr<Py_buffer> buffer;
  nanobind::object keeper;
  /// An array of the runtime that the caller owns.
  Handle own;
  arrt_array *array = nullptr;
};

} // namespace arrc::python

#endif // ARRC_PYTHON_ARGUMENT_H
