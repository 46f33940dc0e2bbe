//===- Array.cpp - Arrays of the runtime as Python's objects --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Array.h"

#include "DLPack.h"
#include "Element.h"
#include "Errors.h"

#include <nanobind/stl/string.h>

using namespace arrc::python;
namespace nb = nanobind;

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

Handle::~Handle() {
  if (!array)
    return;
  if (isSeen)
    device->releaseLater(array);
  else
    arrt_array_release(array);
}

Handle Handle::share() const {
  Handle other(device, arrt_array_retain(array));
  other.isSeen = isSeen;
  return other;
}

Handle &Array::get() {
  if (!handle.get())
    raiseValueError("the array was released");
  return handle;
}

//===----------------------------------------------------------------------===//
// The buffer protocol
//===----------------------------------------------------------------------===//

namespace {
/// What a buffer points to, with an owner of the array of its own.
struct Exported {
  Handle handle;
  Py_ssize_t shape[ARRT_MAX_RANK], strides[ARRT_MAX_RANK];
};
} // namespace

/// The strides of a dense, row-major array, in units of `unit`.
template <typename T>
static void denseStrides(const arrt_array *array, T unit, T *strides) {
  for (int32_t d = arrt_array_rank(array) - 1; d >= 0; --d) {
    strides[d] = unit;
    unit *= T(std::max<int64_t>(arrt_array_size(array, d), 1));
  }
}

static int getBuffer(PyObject *self, Py_buffer *view, int) {
  Array &array = *nb::inst_ptr<Array>(nb::handle(self));
  try {
    Handle &handle = array.get();
    const char *format = formatOf(arrt_array_element(handle.get()));
    if (!handle.isOnHost() || !format) {
      PyErr_SetString(PyExc_BufferError,
                      format ? "the array is on a device: see Array.host()"
                             : "the buffer protocol has no bf16");
      return -1;
    }
    auto exported = std::make_unique<Exported>();
    exported->handle = handle.share();
    arrt_array *memory = handle.get();
    int32_t rank = arrt_array_rank(memory);
    Py_ssize_t bytes =
        Py_ssize_t(arrt_element_bytes(arrt_array_element(memory)));
    for (int32_t d = 0; d < rank; ++d)
      exported->shape[d] = Py_ssize_t(arrt_array_size(memory, d));
    denseStrides(memory, bytes, exported->strides);
    view->buf = arrt_array_data(memory);
    view->obj = nb::handle(self).inc_ref().ptr();
    view->len = Py_ssize_t(arrt_array_bytes(memory));
    view->itemsize = bytes;
    view->readonly = 0;
    view->ndim = rank;
    view->format = const_cast<char *>(format);
    view->shape = exported->shape;
    view->strides = exported->strides;
    view->suboffsets = nullptr;
    view->internal = exported.release();
    return 0;
  } catch (nb::python_error &error) {
    error.restore();
    return -1;
  }
}

static void releaseBuffer(PyObject *, Py_buffer *view) {
  delete static_cast<Exported *>(view->internal);
}

//===----------------------------------------------------------------------===//
// DLPack and the array interface of CUDA
//===----------------------------------------------------------------------===//

namespace {
/// A tensor of DLPack with what its pointers point to.
struct Tensor {
  dlpack::Managed managed = {};
  Handle handle;
  int64_t shape[ARRT_MAX_RANK], strides[ARRT_MAX_RANK];
};
} // namespace

static nb::object deviceOf(Array &array) {
  Handle &handle = array.get();
  if (handle.isOnHost())
    return nb::make_tuple(int(dlpack::CPU), 0);
  if (handle.getDevice()->target != ARRT_TARGET_CUDA)
    throw nb::buffer_error("DLPack has no memory of OpenCL: see Array.host()");
  return nb::make_tuple(int(dlpack::CUDA), handle.getDevice()->number);
}

static nb::object toDLPack(Array &array, nb::kwargs kwargs) {
  auto asked = [&](const char *name) {
    return kwargs.contains(name) && !kwargs[name].is_none();
  };
  if (asked("copy") && nb::cast<bool>(kwargs["copy"]))
    throw nb::buffer_error("copies are not made here");
  nb::object place = deviceOf(array);
  if (asked("dl_device") && !kwargs["dl_device"].equal(place))
    throw nb::buffer_error("the array is on another device");
  Handle &handle = array.get();
  if (!handle.isOnHost())
    handle.markSeen();
  auto tensor = std::make_unique<Tensor>();
  tensor->handle = handle.share();
  arrt_array *memory = handle.get();
  int32_t element = arrt_array_element(memory);
  dlpack::Tensor &view = tensor->managed.tensor;
  view.data = arrt_array_data(memory);
  view.deviceType = nb::cast<int32_t>(place[0]);
  view.deviceNumber = nb::cast<int32_t>(place[1]);
  view.rank = arrt_array_rank(memory);
  view.code = codeOf(element);
  view.bits = uint8_t(8 * arrt_element_bytes(element));
  view.lanes = 1;
  for (int32_t d = 0; d < view.rank; ++d)
    tensor->shape[d] = arrt_array_size(memory, d);
  denseStrides(memory, int64_t(1), tensor->strides);
  view.shape = tensor->shape;
  view.strides = tensor->strides;
  tensor->managed.owner = tensor.get();
  tensor->managed.deleter = [](dlpack::Managed *managed) {
    delete static_cast<Tensor *>(managed->owner);
  };
  nb::object capsule = nb::steal(
      PyCapsule_New(&tensor->managed, dlpack::capsule, [](PyObject *self) {
        // Whoever took the tensor has renamed the capsule.
        if (!PyCapsule_IsValid(self, dlpack::capsule))
          return;
        auto *managed = static_cast<dlpack::Managed *>(
            PyCapsule_GetPointer(self, dlpack::capsule));
        managed->deleter(managed);
      }));
  if (!capsule)
    throw nb::python_error();
  (void)tensor.release();
  return capsule;
}

static nb::tuple shapeOf(Array &array) {
  arrt_array *memory = array.get().get();
  nb::list sizes;
  for (int32_t d = 0; d < arrt_array_rank(memory); ++d)
    sizes.append(arrt_array_size(memory, d));
  return nb::tuple(sizes);
}

static nb::object cudaInterface(Array &array) {
  Handle &handle = array.get();
  const char *typestr = typestrOf(arrt_array_element(handle.get()));
  // Others look for the attribute to know whether there is such memory.
  if (handle.isOnHost() || handle.getDevice()->target != ARRT_TARGET_CUDA ||
      !typestr)
    throw nb::attribute_error("the array is not in memory of CUDA");
  handle.markSeen();
  nb::dict result;
  result["shape"] = shapeOf(array);
  result["typestr"] = typestr;
  result["data"] =
      nb::make_tuple(uintptr_t(arrt_array_data(handle.get())), false);
  result["strides"] = nb::none();
  result["version"] = 3;
  return result;
}

//===----------------------------------------------------------------------===//
// The class
//===----------------------------------------------------------------------===//

/// The array in the host's memory: itself if it is there.
static nb::object toHost(nb::handle self) {
  Handle &handle = nb::cast<Array &>(self).get();
  if (handle.isOnHost())
    return nb::borrow(self);
  Handle from = handle.share();
  std::shared_ptr<Device> device = from.getDevice();
  arrt_array *made = nullptr;
  int32_t status = 0;
  std::string message;
  {
    nb::gil_scoped_release unlocked;
    std::lock_guard<std::mutex> lock(device->mutex);
    // What others do with it, and with its memory, comes first.
    status = arrt_wait_for_others(device->ctx);
    if (!status)
      made = arrt_array_to_host(device->ctx, from.get());
    if (!made) {
      status = arrt_last_status(device->ctx);
      message = arrt_message(device->ctx);
    }
  }
  if (!made)
    raiseRunError(status, message);
  return nb::cast(Array(Handle(device, made)));
}

/// The elements as f32, for bf16 those that NumPy has.
static nb::object toSingle(Handle &handle) {
  std::shared_ptr<Device> device = handle.getDevice();
  std::lock_guard<std::mutex> lock(device->mutex);
  arrt_array *made = arrt_array_convert(device->ctx, handle.get(), ARRT_F32);
  if (!made)
    raiseRunError(arrt_last_status(device->ctx), arrt_message(device->ctx));
  return nb::cast(Array(Handle(device, made)));
}

/// What NumPy asks for where there is no buffer.
static nb::object toNumPy(nb::handle self, nb::handle dtype, nb::handle copy) {
  Handle &handle = nb::cast<Array &>(self).get();
  if (!handle.isOnHost())
    raiseTypeError("the array is on " + handle.getDevice()->name +
                   ": .host() is the one of the host");
  nb::object source = nb::borrow(self);
  bool isCopy = !formatOf(arrt_array_element(handle.get()));
  if (isCopy && copy.ptr() == Py_False)
    raiseValueError("NumPy has no bf16: the elements are f32 in a copy");
  if (isCopy)
    source = toSingle(handle);
  nb::object view = nb::steal(PyMemoryView_FromObject(source.ptr()));
  if (!view)
    throw nb::python_error();
  nb::object made = nb::module_::import_("numpy").attr("asarray")(view, dtype);
  return !isCopy && copy.ptr() == Py_True ? made.attr("copy")() : made;
}

static std::string describe(Array &array) {
  Handle &handle = array.get();
  std::string text = arrt_element_name(arrt_array_element(handle.get()));
  int32_t rank = arrt_array_rank(handle.get());
  for (int32_t d = 0; d < rank; ++d)
    text += (d ? ", " : "[") + std::to_string(arrt_array_size(handle.get(), d));
  return "arrc.Array(" + text + (rank ? "]" : "") + " on " +
         (handle.isOnHost() ? "cpu" : handle.getDevice()->name) + ")";
}

void arrc::python::bindArray(nb::module_ &module) {
  static PyType_Slot slots[] = {
      {Py_bf_getbuffer, reinterpret_cast<void *>(getBuffer)},
      {Py_bf_releasebuffer, reinterpret_cast<void *>(releaseBuffer)},
      {0, nullptr}};
  nb::class_<Array>(module, "Array", nb::type_slots(slots),
                    "An array in memory of the runtime, on the host or on a "
                    "device. NumPy, torch, CuPy and JAX take it without a copy "
                    "(`numpy.asarray(a)`, `torch.from_dlpack(a)`).")
      .def_prop_ro("shape", shapeOf, "The size of each dimension.")
      .def_prop_ro(
          "ndim", [](Array &a) { return arrt_array_rank(a.get().get()); },
          "The number of dimensions.")
      .def_prop_ro(
          "element",
          [](Array &a) {
            return std::string(
                arrt_element_name(arrt_array_element(a.get().get())));
          },
          "The element type in the language: `f32`.")
      .def_prop_ro(
          "nbytes", [](Array &a) { return arrt_array_bytes(a.get().get()); },
          "The bytes of all elements.")
      .def_prop_ro(
          "device",
          [](Array &a) {
            Handle &handle = a.get();
            return handle.isOnHost() ? "cpu" : handle.getDevice()->name;
          },
          "Where it is: `cpu`, `cuda:0`.")
      .def("host", toHost,
           "The array in the host's memory: itself if it is there.")
      .def("release", &Array::release,
           "Gives up the memory before Python does. Views of it stay good.")
      .def("__array__", toNumPy, nb::arg("dtype") = nb::none(),
           nb::arg("copy") = nb::none())
      .def("__dlpack__", toDLPack)
      .def("__dlpack_device__", deviceOf)
      .def_prop_ro("__cuda_array_interface__", cudaInterface)
      .def("__len__",
           [](Array &a) {
             if (!arrt_array_rank(a.get().get()))
               raiseTypeError("an array of rank 0 has no length");
             return arrt_array_size(a.get().get(), 0);
           })
      .def("__repr__", describe);
}
