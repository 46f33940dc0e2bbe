#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

/// Plans maps along one dimension with 32 threads a block, 2 elements each, and
/// on a CPU with vectors of 4.
bool planNarrowBlocks(arrc::kernel::LaunchOp launch,
                      arrc::kernel::DeviceAttr device);
