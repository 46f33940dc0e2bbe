//===- PartsDevice.h - several devices as one ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/Parts. A block is as long on each device that has some of it;
/// its address is the one that it has on the first device of the process, so
/// that what programs compute of addresses stays right, and a kernel finds
/// every element at its index. `Owners` says of each byte which devices have
/// it.
///
/// A launch is planned once: how it is cut, what each part lacks, who owns what
/// afterwards. The plan follows from the arguments and from who owns what
/// before, and is kept under both: a time loop plans its first steps alone.
///
/// Of several processes each makes the same plans for all parts and runs those
/// of its own devices; in place of the others stand some that do nothing.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_PARTS_PARTSDEVICE_H
#define ARRT_PARTS_PARTSDEVICE_H

#include "Parts/Device.h"
#include "Parts/Table.h"
#include "Ranks/Ranks.h"

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

namespace arrt::parts {

/// A kernel on each device, loaded when it is launched there first.
struct Kernel {
  class PartsModule *module = nullptr;
  std::string name;
  uint64_t number = 0;  ///< no other kernel ever has it
  bool hasCuts = false; ///< `cuts` was read
  std::vector<PartCut> cuts;
  std::string reason; ///< why there is no way to cut it
  std::vector<void *> handles;
};

/// Memory of all devices.
struct Block {
  Block(int64_t bytes, size_t devices)
      : bytes(bytes), data(devices), owners(bytes) {}
  int64_t bytes;
  std::vector<char *> data; ///< of each device; null: none of it is there
  Owners owners;
  uint64_t state = 0; ///< of `owners`, see PartsDevice::getState; 0: not known
  /// Of a record of failed checks (arrt_kernel.args, `e`): the devices with one
  /// of their own, which began as what the host put there. None: it is no
  /// record.
  uint64_t records = 0;
};

/// The first of some devices.
inline size_t lowestDevice(uint64_t devices) {
  return size_t(__builtin_ctzll(devices));
}

/// How one launch runs.
struct Plan {
  struct Copy {
    size_t pointer; ///< the argument whose block it is in
    size_t to, from;
    int64_t begin, end;
  };
  struct Part {
    size_t device;
    int64_t offset, extent; ///< of the pair that is cut
  };
  struct Change {
    size_t pointer;
    uint64_t state;
  };
  /// A copy of an array that a part updates: it begins as neutral elements.
  struct Fill {
    size_t pointer, device;
    int64_t begin, end;
    int64_t pattern, width;
  };
  /// What `device` has of an array afterwards: its copy, and then those of all
  /// other parts in their order, combined.
  struct Join {
    size_t pointer, device;
    int64_t begin, end;
    std::string combiner;
    int64_t elementBytes;
  };
  int pair = -1;      ///< -1: not cut
  std::string reason; ///< why not
  int64_t bytes = 0;  ///< that its parts touch
  int64_t most = 0;   ///< that one part touches
  std::vector<Copy> copies;
  std::vector<Fill> fills;
  std::vector<Part> parts;
  std::vector<Join> joins;
  std::vector<Change> changes;
};

class PartsDevice final : public Device {
public:
  PartsDevice(std::vector<std::unique_ptr<Device>> given, Ranks *ranks,
              std::vector<PartPlace> places);
  ~PartsDevice() override;

  const char *name() const override { return label.c_str(); }
  bool isHostVisible() const override { return false; }
  int64_t freeMemory() const override { return devices[home]->freeMemory(); }
  void *allocate(int64_t bytes) override;
  void *allocateRecord(int64_t bytes) override;
  std::string allocationProblem() override {
    return devices[home]->allocationProblem();
  }
  void release(void *data, int64_t bytes) override;
  int32_t copy(void *to, const void *from, int64_t bytes) override;
  int32_t copyIn(void *to, const void *host, int64_t bytes) override;
  int32_t copyOut(void *host, const void *from, int64_t bytes) override;
  int32_t fill(void *data, int64_t pattern, int32_t width,
               int64_t bytes) override;
  int32_t synchronize() override;
  bool takes(int32_t format) const override {
    return devices[home]->takes(format);
  }
  std::unique_ptr<arrt::Module> load(const arrt_image &image) override;
  int32_t launch(const Launch &launch) override;
  std::string traffic() const override;
  std::pair<int64_t, int64_t> shareIn(int64_t bytes) const override;
  std::vector<std::pair<int64_t, int64_t>> shareOut(const void *from,
                                                    int64_t bytes) override;
  int32_t copyOutTo(int rank, void *host, const void *from,
                    int64_t bytes) override;
  int32_t copyOutHere(void *host, const void *from, int64_t bytes) override;

private:
  // What the functions of the same names do, in one step.
  int32_t copyParts(void *to, const void *from, int64_t bytes);
  int32_t copyInParts(void *to, const void *host, int64_t bytes);
  int32_t fillParts(void *data, int64_t pattern, int32_t width, int64_t bytes);
  int32_t launchParts(const Launch &launch);
  friend class PartsModule;
  /// Keeps the error of a device; returns the status.
  int32_t check(size_t device, int32_t status);
  int32_t failOutside(const void *data);
  /// The block that holds an address, and where in it; null if none does.
  Block *find(const void *data, int64_t &offset);
  /// Makes sure that a device has memory for a block.
  int32_t provide(Block &block, size_t device);
  /// Copies from one device to another; between processes it is done behind
  /// `finishMessages`.
  int32_t move(Block &block, size_t to, size_t from, int64_t begin,
               int64_t end);
  /// See move.
  int32_t send(size_t to, char *target, size_t from, const char *source,
               int64_t bytes);
  /// How the bytes that are copied in are divided among the devices: `visit` is
  /// called with each and its share.
  void visitShares(int64_t bytes,
                   const std::function<void(size_t device, int64_t begin,
                                            int64_t end)> &visit) const;

  // Several processes (Messages.cpp).
  bool isHere(size_t device) const {
    return !ranks || places[device].rank == ranks->rank();
  }
  /// Does what all processes do at this place of the program, unless one of
  /// them has failed before.
  int32_t inStep(const std::function<int32_t()> &run);
  /// Notes what is to go to another process, or to come from it.
  void addMessage(size_t to, char *target, size_t from, const char *source,
                  int64_t bytes);
  /// Sends and receives what was noted.
  int32_t finishMessages();
  /// Reads bytes of a block from those that have them: all processes get them,
  /// or rank `only`, of which `host` may be null elsewhere.
  int32_t readOut(const Block &block, int64_t begin, int64_t end, char *host,
                  int only = -1);
  int32_t readPiece(size_t device, uint64_t owners, const Block &block,
                    int64_t begin, int64_t end, char *host, int only);
  int32_t fail(const std::string &text);

  /// Makes sure that a device has its own record of failed checks.
  int32_t provideRecord(Block &block, size_t device);
  /// The device whose record has the failure that counts.
  int32_t findRecord(Block &block, size_t &device);
  /// A number for who owns what of a block, equal for equal answers.
  uint64_t getState(Block &block);

  // Launches (Launch.cpp).
  struct Operand {
    Block *block; ///< null: not one whose bytes have owners
    int64_t offset;
    Block *record = nullptr;
  };
  int32_t readOperands(const Launch &launch);
  std::string getKey(const Launch &launch);
  void makePlan(const Launch &launch, Plan &plan);
  /// Fails with the reason.
  bool planCut(const Launch &launch, const PartCut &cut, Plan &plan,
               std::string &reason);
  void planWhole(const Launch &launch, const PartCut *cut, Plan &plan);
  struct Access {
    Ranges reads, writes;
    Ranges updates; ///< what is only combined with values, by `combiner`
    std::string combiner;
    int64_t elementBytes = 0;
  };
  /// A number in memory, of which the plan at hand is made.
  int64_t readNumber(size_t pointer, int64_t index);
  /// What a part touches of blocks, by the first argument that points into
  /// each: an order that is the same in all processes.
  using Accesses = std::map<size_t, Access>;
  /// What one part touches; false if that is not known.
  bool getAccess(const Launch &launch, const PartCut &cut, int64_t low,
                 int64_t high, Accesses &accesses);
  /// Adds to a plan what parts lack and who owns what afterwards.
  void finish(std::vector<Accesses> &parts, Plan &plan);
  int32_t run(const Launch &launch, const Plan &plan);

  // Updates (Updates.cpp).
  /// Turns what parts update into what they read and write, with copies that
  /// are joined where several update the same. Fails with the reason.
  bool planUpdates(std::vector<Accesses> &parts, Plan &plan,
                   std::string &reason);
  /// The time of a plan, as the bytes of memory that could be moved in it.
  double getPrice(const Launch &launch, const Plan &plan) const;
  int32_t fillCopies(const Plan &plan);
  int32_t joinCopies(const Launch &launch, const Plan &plan);
  int32_t join(const Launch &launch, const Plan::Join &join, size_t from);

  /// The argument that is a pointer into a block.
  size_t pointerTo(const Block *block) const;
  void forgetPlans();
  int32_t start(const Launch &launch, const Plan &plan, const Plan::Part &part);

  std::string label;
  std::vector<std::unique_ptr<Device>> devices;
  std::vector<PartPlace> places; ///< of each device
  Ranks *ranks;                  ///< null: one process
  size_t home = 0;               ///< the first device that is here
  /// What goes to a process, or comes from it, as one message.
  struct Piece {
    size_t device; ///< here
    char *data;
    int64_t bytes;
  };
  struct Packet {
    std::vector<Piece> pieces;
    std::vector<char> packed; ///< where the pieces are not one of the host
  };
  std::map<int, Packet> outgoing, incoming; ///< by rank
  std::mutex mutex;                         ///< of `blocks`
  std::map<const char *, std::unique_ptr<Block>> blocks;
  uint64_t lastKernel = 0;
  std::unordered_map<std::string, uint64_t> states;
  std::vector<Owners> ownersOf; ///< by state
  std::unordered_map<std::string, Plan> plans;
  std::vector<Operand> operands; ///< of the launch that is looked at
  /// Whether its plan follows from numbers in memory, and whether these could
  /// be read.
  bool readsData = false;
  int32_t readStatus = 0;
  /// Says what was cut, where ARRC_PARTS_REPORT asks for it.
  void report();

  /// The launches of one kernel that were cut, or were not for one reason.
  struct Share {
    int64_t launches = 0, bytes = 0;
  };
  std::map<std::pair<std::string, std::string>, Share> shares;
  const char *reports = nullptr; ///< the file that they are added to
  /// Memory of a device that copies which are joined come to.
  std::vector<std::pair<char *, int64_t>> staging;
  // What was moved.
  int64_t bytesIn = 0, bytesOut = 0, bytesMoved = 0, pieces = 0;
  int64_t launches = 0, cutLaunches = 0, planned = 0;
};

/// An image on all devices.
class PartsModule final : public arrt::Module {
public:
  PartsModule(PartsDevice &device, const arrt_image &image);
  void *kernel(const char *name) override;
  /// The kernel on one device; null with the device's error.
  void *get(Kernel &kernel, size_t device);

private:
  PartsDevice &device;
  std::string bytes, options;
  arrt_image image;
  std::vector<std::unique_ptr<arrt::Module>> modules;
  std::map<std::string, std::unique_ptr<Kernel>> kernels;
};

} // namespace arrt::parts

#endif // ARRT_PARTS_PARTSDEVICE_H
