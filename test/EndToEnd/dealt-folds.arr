# A fold whose operands lie in two orders: the planner's schedule, and written ones that deal the fold to
# threads with accumulators of their own and stage the operand that threads would walk across.
# REQUIRES: cuda-emulator
# RUN: env ARRC_EMULATOR_CHECK=races,init %emulate arrc bench %s %S/Inputs/dealt-folds-alone.mlir %S/Inputs/dealt-folds-blocks.mlir --target=cuda --seconds 0 n=33 m=300 | FileCheck %s
# RUN: env ARRC_EMULATOR_CHECK=races,init %emulate arrc bench %s %S/Inputs/dealt-folds-alone.mlir %S/Inputs/dealt-folds-blocks.mlir --target=cuda --seconds 0 n=70 m=1025 | FileCheck %s
# RUN: env ARRC_EMULATOR_CHECK=races,init %emulate arrc bench %s %S/Inputs/dealt-folds-alone.mlir %S/Inputs/dealt-folds-blocks.mlir --target=cuda --seconds 0 n=1 m=1 | FileCheck %s
# CHECK: results: the same bits
export def f(a: f32[n, m], b: f32[m, n]) -> f32[n] =
  for i { min for j { a[i, j] * b[j, i] } }
