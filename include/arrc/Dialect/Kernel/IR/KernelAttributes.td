//===- KernelAttributes.td - Attributes of the kernel dialect -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD
#define ARRC_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::arrc::kernel";
  let summary = "how arrays are computed: trees of loops that store";
  let description = [{
    One `kernel.launch` is one device kernel: a tree of one-dimensional loops
    with on-chip arrays between siblings and stores at explicit indices. The
    sequential reading is always right: running each `kernel.for` in index
    order, one iteration after the other, gives the answer at every stage, up
    to the rounding order of a fold. Levels, digits, masks and spaces never
    change meaning.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Adds the attributes; they live in a file of their own.
    void registerAttributes();
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

class Kernel_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Kernel_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Kernel_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::arrc::kernel";
  let genSpecializedAttr = 0;
}

def Kernel_ForKind : Kernel_Enum<"ForKind", "what a loop does", [
  I32EnumAttrCase<"Parallel", 0, "parallel">,
  I32EnumAttrCase<"Reduce", 1, "reduce">,
  I32EnumAttrCase<"Scan", 2, "scan">
]>;
def Kernel_ForKindAttr : EnumAttr<Kernel_Dialect, Kernel_ForKind, "kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Kernel_LevelKind : Kernel_Enum<"LevelKind", "where a loop runs", [
  I32EnumAttrCase<"Block", 0, "block">,
  I32EnumAttrCase<"Thread", 1, "thread">,
  I32EnumAttrCase<"Seq", 2, "seq">,
  I32EnumAttrCase<"Unroll", 3, "unroll">,
  I32EnumAttrCase<"Vector", 4, "vector">
]>;

def Kernel_EdgeMode : Kernel_Enum<"EdgeMode", "what an index outside reads", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Clamp", 1, "clamp">,
  I32EnumAttrCase<"Wrap", 2, "wrap">,
  I32EnumAttrCase<"Mirror", 3, "mirror">,
  I32EnumAttrCase<"Reflect", 4, "reflect">
]>;

def Kernel_CheckKind : Kernel_Enum<"CheckKind", "what a check guards", [
  I32EnumAttrCase<"Input", 0, "input">,
  I32EnumAttrCase<"Assert", 1, "assert">,
  I32EnumAttrCase<"Index", 2, "index">,
  I32EnumAttrCase<"Size", 3, "size">,
  I32EnumAttrCase<"Divide", 4, "divide">
]>;
def Kernel_CheckKindAttr
    : EnumAttr<Kernel_Dialect, Kernel_CheckKind, "check_kind">;

def Kernel_Space : Kernel_Enum<"Space", "where a local lives", [
  I32EnumAttrCase<"Register", 0, "register">,
  I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Global", 2, "global">
]>;
def Kernel_SpaceAttr : EnumAttr<Kernel_Dialect, Kernel_Space, "space"> {
  let summary = "memory space of a local";
  let description = [{
    The CPU and the sequential reading drop it; GPUs map it to
    `#gpu.address_space`.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Kernel_Strategy : Kernel_Enum<"Strategy", "who drives a time loop", [
  I32EnumAttrCase<"Host", 0, "host">,
  I32EnumAttrCase<"Batch", 1, "batch">,
  I32EnumAttrCase<"Graph", 2, "graph">,
  I32EnumAttrCase<"Persistent", 3, "persistent">
]>;
def Kernel_StrategyAttr
    : EnumAttr<Kernel_Dialect, Kernel_Strategy, "strategy"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Levels and edges
//===----------------------------------------------------------------------===//

def Kernel_LevelAttr : Kernel_Attr<"Level", "level"> {
  let summary = "where a loop runs";
  let description = [{
    `block.0, block.1, ..` (any count, `block.0` fastest; `block.x`, `.y`, `.z`
    read as 0, 1, 2), `thread.x`, `thread.y`, `thread.z`, `seq`, `unroll` and
    `vector`. On the CPU `block` is a task of the pool, `vector` a SIMD
    register, and `thread` does not occur.
  }];
  let parameters = (ins EnumParameter<Kernel_LevelKind>:$kind,
                        DefaultValuedParameter<"unsigned", "0">:$axis);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Reads `block.0`, `thread.x`, `seq`, ..
    static ::llvm::FailureOr<LevelAttr> parseBare(::mlir::AsmParser &parser);
    /// Prints the same.
    void printBare(::mlir::AsmPrinter &printer) const;
    bool isBlock() const { return getKind() == LevelKind::Block; }
    bool isThread() const { return getKind() == LevelKind::Thread; }
    bool isSeq() const { return getKind() == LevelKind::Seq; }
    bool isUnroll() const { return getKind() == LevelKind::Unroll; }
    bool isVector() const { return getKind() == LevelKind::Vector; }
  }];
}

def Kernel_EdgesAttr : Kernel_Attr<"Edges", "edges"> {
  let summary = "edge mode of each dimension of a load";
  let parameters = (ins ArrayRefParameter<"::arrc::kernel::EdgeMode">:$modes);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def Kernel_DigitAttr : Kernel_Attr<"Digit", "digit"> {
  let summary = "one digit of a dimension: level and size, 0 for what is left";
  let parameters = (ins "::arrc::kernel::LevelAttr":$level, "int64_t":$size);
  let hasCustomAssemblyFormat = 1;
}

def Kernel_DimDigitsAttr : Kernel_Attr<"DimDigits", "digits"> {
  let summary = "the digits of one dimension, most significant first";
  let parameters = (ins "::mlir::StringAttr":$dim,
                        ArrayRefParameter<"::arrc::kernel::DigitAttr">:$digits);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Product of the sizes of the digits after digit `index`: the weight of
    /// one step of that digit.
    int64_t getWeight(unsigned index) const;
    /// Index of the digit that takes what is left, if there is one.
    ::std::optional<unsigned> getOpenDigit() const;
  }];
}

def Kernel_ClauseAttr : Kernel_Attr<"Clause", "clause"> {
  let summary = "one entry of a stage, keep, private or roll clause";
  let description = [{
    `array` is the name of a launch argument or a local; `digit` the loop that
    the clause speaks of (empty for `keep`); `space` is `register`, `shared`, `ranges`,
    `global` or `recompute`; `amount` the padding of a stage or the copies of a
    private clause. A stage may be `turned`: the last dimension of the box comes
    first on chip; and `ahead`: the box of the next step is loaded while this
    one is worked on.
  }];
  let parameters = (ins "::mlir::StringAttr":$array,
                        "::mlir::StringAttr":$digit,
                        "::mlir::StringAttr":$space,
                        "int64_t":$amount,
                        "bool":$turned,
                        "bool":$ahead);
  let builders = [
    AttrBuilder<(ins "::mlir::StringAttr":$array, "::mlir::StringAttr":$digit,
                     "::mlir::StringAttr":$space, "int64_t":$amount), [{
      return $_get($_ctxt, array, digit, space, amount, false, false);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
}

def Kernel_ScheduleAttr : Kernel_Attr<"Schedule", "schedule"> {
  let summary = "how a launch runs";
  let description = [{
    A dimension is a mixed-radix number; its digits stand most significant
    first, the one without a size takes what is left. Where no digits of a
    dimension are given, its loops stay as they are.

    ```mlir
    #kernel.schedule<i = [seq, block.0 1056, thread.x 256, vector 4]>
    ```

    `order` lists digits from the outermost loop to the innermost. Without it
    parallel loops stay outside the folds in them, and within each group the
    nest is block, thread, seq, unroll, vector.

    | clause | does |
    |---|---|
    | `stage = [A at l.0 shared pad 1]` | the box of `A` read below `l.0` is copied on chip first |
    | `stage = [A at l.0 shared pad 4 turned ahead]` | its last dimension comes first there; it is loaded a step ahead |
    | `keep = [e register]` | space of a local: `register`, `shared`, `global` or `recompute` |
    | `private = [H at i.0 shared copies 4]` | updates go to copies that a block has on chip, added to `H` at its end |
    | `private = [H at i.0 ranges]` | the same of a range of `H`: as many blocks as there are ranges take the iterations of one |
    | `roll = [u along k.1]` | values that the next iterations read again stay in registers |
    | `split boundary` | blocks that need neither mask nor edge mode get a copy without them |
    | `index 32` | a version for sizes whose indices fit in 32 bits, of which `kernel.indices_fit` asks |
    | `deal threads` | versions that differ in sizes at thread alone are one kernel, whose launch says which threads walk which dimension |
    | `multiply matrices` | the lanes of a warp take the steps of folds of products together, by matrix instructions |

    What `deal threads` asks for is a power of two of threads along each
    dimension, the most that walk it: the launch gives each as many as share its
    iterations evenly, those along x first, and what these leave to the others.
    The digits of a dimension are `[block.0, unroll, thread.x, vector]` or some of
    these, and no clause beside it but `split boundary`.

    `multiply matrices` asks for results that are laid out as the instructions
    have them: 4 threads along x, each with pairs of neighbouring columns, and a
    multiple of 8 along y,
    `i = [.., unroll 2, thread.y 8], j = [.., thread.x 4, unroll 2]`, and for
    operands that the block has on chip.
  }];
  let parameters = (ins
    ArrayRefParameter<"::arrc::kernel::DimDigitsAttr">:$dims,
    OptionalArrayRefParameter<"::mlir::StringAttr">:$order,
    OptionalArrayRefParameter<"::arrc::kernel::ClauseAttr">:$stage,
    OptionalArrayRefParameter<"::arrc::kernel::ClauseAttr">:$keep,
    OptionalArrayRefParameter<"::arrc::kernel::ClauseAttr">:$privates,
    OptionalArrayRefParameter<"::arrc::kernel::ClauseAttr">:$roll,
    DefaultValuedParameter<"bool", "false">:$splitBoundary,
    DefaultValuedParameter<"unsigned", "64">:$indexBits,
    DefaultValuedParameter<"bool", "false">:$deals,
    DefaultValuedParameter<"bool", "false">:$multiplies);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<::arrc::kernel::DimDigitsAttr>":$dims,
                     "::llvm::ArrayRef<::mlir::StringAttr>":$order,
                     "::llvm::ArrayRef<::arrc::kernel::ClauseAttr>":$stage,
                     "::llvm::ArrayRef<::arrc::kernel::ClauseAttr>":$keep,
                     "::llvm::ArrayRef<::arrc::kernel::ClauseAttr>":$privates,
                     "::llvm::ArrayRef<::arrc::kernel::ClauseAttr>":$roll,
                     "bool":$splitBoundary, "unsigned":$indexBits), [{
      return $_get($_ctxt, dims, order, stage, keep, privates, roll,
                   splitBoundary, indexBits, false, false);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The digits of `dim`, null where the schedule leaves it whole.
    DimDigitsAttr lookup(::llvm::StringRef dim) const;
    /// Threads of a block: the product of all sizes at thread.
    int64_t getThreads() const;
    /// The same with indices of so many bits, 32 or 64.
    ScheduleAttr withIndexBits(unsigned bits) const;
    /// The same without `multiply matrices`.
    ScheduleAttr withoutMatrices() const;
    /// The same with these dimensions and clauses.
    ScheduleAttr
    withClauses(::llvm::ArrayRef<DimDigitsAttr> dims,
                ::llvm::ArrayRef<ClauseAttr> stage,
                ::llvm::ArrayRef<ClauseAttr> keep,
                ::llvm::ArrayRef<ClauseAttr> privates) const;
  }];
}

def Kernel_VersionAttr : Kernel_Attr<"Version", "version"> {
  let summary = "a schedule and the condition under which it is taken";
  let description = [{
    Tried in order; the last version of a launch has no `when`. The symbols of
    the set are the size arguments that the launch names after `of`.

    ```mlir
    #kernel.version<when = affine_set<()[s0] : (4096 - s0 >= 0)>, i = [block.0]>
    ```
  }];
  let parameters = (ins OptionalParameter<"::mlir::IntegerSetAttr">:$when,
                        "::arrc::kernel::ScheduleAttr":$schedule);
  let hasCustomAssemblyFormat = 1;
}

def Kernel_DeviceAttr : Kernel_Attr<"Device", "device"> {
  let summary = "a row of the device table";
  let description = [{
    On the module as `kernel.device`; passes learn about the device from it
    alone.

    ```mlir
    module attributes {kernel.device = #kernel.device<"cpu", {vector_bytes = 32}>}
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
                        OptionalParameter<"::mlir::DictionaryAttr">:$facts);
  let assemblyFormat = "`<` $name (`,` $facts^)? `>`";
  let extraClassDeclaration = [{
    /// The row of the module around `op`, null if it has none.
    static DeviceAttr get(::mlir::Operation *op);
    /// The number called `fact`, or `otherwise`.
    int64_t getInteger(::llvm::StringRef fact, int64_t otherwise) const;
  }];
}

#endif // ARRC_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD
