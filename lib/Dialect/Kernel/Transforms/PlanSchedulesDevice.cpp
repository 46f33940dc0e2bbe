#include "PlanSchedules.h"
void arrc::kernel::planForDevice(LaunchOp, DeviceAttr) {}
