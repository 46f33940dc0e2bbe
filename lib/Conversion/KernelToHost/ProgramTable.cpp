//===- ProgramTable.cpp - What the runtime knows of a program -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// One constant, `NAME_program`, with the layout of arrt.h's structs. A struct
// becomes an LLVM global whose initialiser inserts its fields one by one; texts
// and lists are internal globals that it points to. It is the only symbol of an
// object that can meet that of another: NAME is what the program's file is
// called, or what the attribute `arrc.name` says.
//
//===----------------------------------------------------------------------===//

#include "ProgramTable.h"

#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <functional>
#include <variant>

using namespace mlir;
using namespace arrc;

static constexpr int32_t abiVersion = 5; // ARRT_ABI_VERSION

std::optional<int32_t> arrc::getElementNumber(StringRef name) {
  static constexpr StringLiteral names[] = {
#define ARRT_ELEMENT(Enum, name, bytes) name,
#include "arrt/EntryPoints.def"
  };
  for (auto [number, known] : llvm::enumerate(names))
    if (known == name)
      return number;
  return std::nullopt;
}

static int32_t getCheckKindNumber(StringRef name) {
  static constexpr StringLiteral names[] = {
#define ARRT_CHECK_KIND(Enum, name, status) name,
#include "arrt/EntryPoints.def"
  };
  for (auto [number, known] : llvm::enumerate(names))
    if (known == name)
      return number;
  return 0;
}

namespace {
/// Writes globals. A field is a number (i32) or the name of a global; an empty
/// name is a null pointer.
class TableWriter {
public:
  using Field = std::variant<int32_t, std::string>;
  using Record = SmallVector<Field>;

  TableWriter(ModuleOp module, RuntimeCalls &calls)
      : module(module), calls(calls), b(module.getContext()) {
    b.setInsertionPointToEnd(module.getBody());
  }

  /// The name of a global with this text; equal texts share one.
  std::string text(StringRef value);
  /// The name of a global with these numbers or bytes.
  std::string constant(Attribute value, Type type);
  /// The name of an array of records; empty if there are none.
  std::string list(ArrayRef<Record> records);
  /// One record as a global called `name`, visible outside.
  void record(StringRef name, const Record &fields);
  /// Another name of a record, which gives way to that of another object.
  void alias(StringRef name, StringRef of, const Record &fields);

private:
  Type getType(const Record &fields);
  Value build(OpBuilder &b, const Record &fields);
  LLVM::GlobalOp global(StringRef name, Type type, LLVM::Linkage linkage,
                        Attribute value = {});
  std::string fresh() { return ("arrt_data" + Twine(counter++)).str(); }

  ModuleOp module;
  RuntimeCalls &calls;
  OpBuilder b;
  unsigned counter = 0;
  llvm::StringMap<std::string> texts;
};
} // namespace

LLVM::GlobalOp TableWriter::global(StringRef name, Type type,
                                   LLVM::Linkage linkage, Attribute value) {
  return LLVM::GlobalOp::create(b, module.getLoc(), type, /*isConstant=*/true,
                                linkage, name, value, /*alignment=*/8);
}

std::string TableWriter::text(StringRef value) {
  std::string &name = texts[value];
  if (!name.empty())
    return name;
  name = fresh();
  std::string bytes = value.str();
  bytes.push_back('\0');
  Type type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  global(name, type, LLVM::Linkage::Internal, b.getStringAttr(bytes));
  return name;
}

std::string TableWriter::constant(Attribute value, Type type) {
  std::string name = fresh();
  global(name, type, LLVM::Linkage::Internal, value);
  return name;
}

Type TableWriter::getType(const Record &fields) {
  SmallVector<Type> types;
  for (const Field &field : fields)
    types.push_back(std::holds_alternative<int32_t>(field)
                        ? Type(b.getI32Type())
                        : Type(calls.getPointer()));
  return LLVM::LLVMStructType::getLiteral(b.getContext(), types);
}

Value TableWriter::build(OpBuilder &b, const Record &fields) {
  Location loc = module.getLoc();
  Value value = LLVM::UndefOp::create(b, loc, getType(fields));
  for (auto [position, field] : llvm::enumerate(fields)) {
    Value part;
    if (auto *number = std::get_if<int32_t>(&field))
      part = calls.i32(b, loc, *number);
    else if (auto &name = std::get<std::string>(field); name.empty())
      part = LLVM::ZeroOp::create(b, loc, calls.getPointer());
    else
      part = LLVM::AddressOfOp::create(b, loc, calls.getPointer(), name);
    value = LLVM::InsertValueOp::create(b, loc, value, part, position);
  }
  return value;
}

std::string TableWriter::list(ArrayRef<Record> records) {
  if (records.empty())
    return "";
  Location loc = module.getLoc();
  Type type =
      LLVM::LLVMArrayType::get(getType(records.front()), records.size());
  std::string name = fresh();
  auto op = global(name, type, LLVM::Linkage::Internal);
  OpBuilder inner =
      OpBuilder::atBlockBegin(b.createBlock(&op.getInitializerRegion()));
  Value value = LLVM::UndefOp::create(inner, loc, type);
  for (auto [position, fields] : llvm::enumerate(records))
    value = LLVM::InsertValueOp::create(inner, loc, value, build(inner, fields),
                                        position);
  LLVM::ReturnOp::create(inner, loc, value);
  b.setInsertionPointToEnd(module.getBody());
  return name;
}

void TableWriter::record(StringRef name, const Record &fields) {
  auto op = global(name, getType(fields), LLVM::Linkage::External);
  OpBuilder inner =
      OpBuilder::atBlockBegin(b.createBlock(&op.getInitializerRegion()));
  LLVM::ReturnOp::create(inner, module.getLoc(), build(inner, fields));
  b.setInsertionPointToEnd(module.getBody());
}

void TableWriter::alias(StringRef name, StringRef of, const Record &fields) {
  Location loc = module.getLoc();
  auto op = LLVM::AliasOp::create(b, loc, getType(fields), LLVM::Linkage::Weak,
                                  name, /*dsoLocal=*/false,
                                  /*threadLocal=*/false);
  OpBuilder inner =
      OpBuilder::atBlockBegin(b.createBlock(&op.getInitializerRegion()));
  Value target =
      LLVM::AddressOfOp::create(inner, loc, calls.getPointer(), of.str());
  LLVM::ReturnOp::create(inner, loc, target);
  b.setInsertionPointToEnd(module.getBody());
}

/// The global with a parameter's default value; empty if it has none.
static std::string writeDefault(TableWriter &writer, DictionaryAttr param) {
  Attribute value = param.get("default");
  if (!value)
    return "";
  // Numbers, nested in lists for arrays and for the parts of complex numbers.
  SmallVector<Attribute> numbers;
  std::function<void(Attribute)> flatten = [&](Attribute attr) {
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list)
      numbers.push_back(attr);
    else
      llvm::for_each(list, flatten);
  };
  flatten(value);
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    numbers.clear();
    llvm::append_range(numbers, dense.getValues<Attribute>());
  }
  // The text may hold floats wider than the parameter's own type.
  Builder b(param.getContext());
  Type type =
      llvm::StringSwitch<Type>(param.getAs<StringAttr>("element").getValue())
          .Case("f16", b.getF16Type())
          .Case("bf16", b.getBF16Type())
          .Cases({"f32", "c64"}, b.getF32Type())
          .Cases({"f64", "c128"}, b.getF64Type())
          .Default(nullptr);
  for (Attribute &number : numbers) {
    if (auto flag = dyn_cast<BoolAttr>(number))
      number = b.getI8IntegerAttr(flag.getValue());
    else if (auto real = dyn_cast<FloatAttr>(number); real && type)
      number = b.getFloatAttr(type, real.getValueAsDouble());
  }
  if (numbers.empty())
    return "";
  type = cast<TypedAttr>(numbers.front()).getType();
  if (numbers.size() == 1)
    return writer.constant(numbers.front(), type);
  auto shape = RankedTensorType::get(int64_t(numbers.size()), type);
  return writer.constant(DenseElementsAttr::get(shape, numbers),
                         LLVM::LLVMArrayType::get(type, numbers.size()));
}

/// The list of parameters or results as `arrt_param`s.
static FailureOr<std::string> writeParams(TableWriter &writer, ArrayAttr params,
                                          ModuleOp module) {
  SmallVector<TableWriter::Record> records;
  for (Attribute attr : params) {
    auto param = dyn_cast<DictionaryAttr>(attr);
    auto text = [&](StringRef key) -> StringRef {
      auto value = param ? param.getAs<StringAttr>(key) : StringAttr();
      return value ? value.getValue() : StringRef();
    };
    auto element = getElementNumber(text("element"));
    auto rank = param ? param.getAs<IntegerAttr>("rank") : IntegerAttr();
    if (!element || !rank)
      return module.emitError("parameter '")
             << text("name") << "' has an unknown element type or no rank";
    SmallVector<TableWriter::Record> dims;
    if (auto list = param.getAs<ArrayAttr>("dims"))
      for (Attribute dim : list)
        dims.push_back({writer.text(cast<StringAttr>(dim))});
    records.push_back({writer.text(text("name")), writer.text(text("type")),
                       *element, static_cast<int32_t>(rank.getInt()),
                       writer.list(dims), writeDefault(writer, param)});
  }
  return writer.list(records);
}

/// The type of an element called `name`; null if there is none.
static Type getElementType(MLIRContext *context, StringRef name) {
  Builder b(context);
  return llvm::StringSwitch<Type>(name)
      .Case("bool", b.getI1Type())
      .Cases({"i8", "u8"}, b.getI8Type())
      .Cases({"i16", "u16"}, b.getI16Type())
      .Cases({"i32", "u32"}, b.getI32Type())
      .Cases({"i64", "u64"}, b.getI64Type())
      .Case("f16", b.getF16Type())
      .Case("bf16", b.getBF16Type())
      .Case("f32", b.getF32Type())
      .Case("f64", b.getF64Type())
      .Case("c64", ComplexType::get(b.getF32Type()))
      .Case("c128", ComplexType::get(b.getF64Type()))
      .Default(nullptr);
}

/// What `facts` say of values of these types, with the sizes that the types
/// know; fails if they say something else.
static FailureOr<ArrayAttr> checkFacts(func::FuncOp function, ArrayAttr facts,
                                       TypeRange types, StringRef what) {
  if (!facts)
    return function.emitError(
        "an export lacks the facts about its parameters and results");
  if (facts.size() != types.size())
    return function.emitError("an export has other ")
           << what << "s than it says";
  Builder b(function.getContext());
  SmallVector<Attribute> checked;
  for (auto [attr, type] : llvm::zip(facts, types)) {
    auto one = dyn_cast<DictionaryAttr>(attr);
    auto name = one ? one.getAs<StringAttr>("name") : StringAttr();
    auto text = one ? one.getAs<StringAttr>("type") : StringAttr();
    auto element = one ? one.getAs<StringAttr>("element") : StringAttr();
    auto rank = one ? one.getAs<IntegerAttr>("rank") : IntegerAttr();
    auto memref = dyn_cast<MemRefType>(type);
    int64_t actualRank = memref ? memref.getRank() : 0;
    if (!name || !text || !element || !rank || rank.getInt() != actualRank ||
        getElementType(b.getContext(), element) != getElementTypeOrSelf(type))
      return function.emitError("an export says something else of a ")
             << what << " than its type, " << type;
    SmallVector<Attribute> dims;
    if (auto list = one.getAs<ArrayAttr>("dims"))
      llvm::append_range(dims, list);
    if (dims.empty())
      dims.assign(actualRank, b.getStringAttr("?"));
    if (int64_t(dims.size()) != actualRank ||
        !llvm::all_of(dims, llvm::IsaPred<StringAttr>))
      return function.emitError("an export names ")
             << dims.size() << " sizes of a " << what << " of type " << type;
    for (int64_t d = 0; d < actualRank; ++d)
      if (!memref.isDynamicDim(d))
        dims[d] = b.getStringAttr(Twine(memref.getDimSize(d)));
    NamedAttrList list(one);
    list.set("dims", b.getArrayAttr(dims));
    checked.push_back(list.getDictionary(b.getContext()));
  }
  return b.getArrayAttr(checked);
}

LogicalResult ProgramTable::addEntry(func::FuncOp function) {
  SmallVector<Type> types;
  for (BlockArgument argument : function.getArguments())
    if (!function.getArgAttr(argument.getArgNumber(), contextAttrName))
      types.push_back(argument.getType());
  auto list = [&](StringRef name, TypeRange types, StringRef what) {
    return checkFacts(function, function->getAttrOfType<ArrayAttr>(name), types,
                      what);
  };
  auto params = list("arrc.params", types, "parameter");
  if (failed(params))
    return failure();
  auto results = list("arrc.results", function.getResultTypes(), "result");
  if (failed(results))
    return failure();
  entries.push_back(
      {function.getName().str(), *params, *results, function.getLoc()});
  return success();
}

/// The name of a program in C.
static std::string getProgramName(ModuleOp module, StringRef file) {
  auto given = module->getAttrOfType<StringAttr>("arrc.name");
  std::string name = given ? given.str() : llvm::sys::path::stem(file).str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name.empty() || llvm::isDigit(name.front()) ? "_" + name : name;
}

LogicalResult ProgramTable::emit(RuntimeCalls &calls,
                                 const KernelTable &kernels) {
  if (entries.empty())
    return success();
  TableWriter writer(module, calls);
  SmallVector<TableWriter::Record> records;
  for (const Entry &entry : entries) {
    auto params = writeParams(writer, entry.params, module);
    auto results = writeParams(writer, entry.results, module);
    if (failed(params) || failed(results))
      return failure();
    records.push_back({writer.text(entry.name), entry.name + "_packed",
                       static_cast<int32_t>(entry.params.size()),
                       static_cast<int32_t>(entry.results.size()), *params,
                       *results});
  }
  SmallVector<TableWriter::Record> sites;
  if (auto attr = module->getAttrOfType<ArrayAttr>(sitesAttrName)) {
    for (auto site : attr.getAsRange<DictionaryAttr>()) {
      auto text = [&](StringRef key) {
        return site.getAs<StringAttr>(key).getValue();
      };
      auto number = [&](StringRef key) {
        return static_cast<int32_t>(site.getAs<IntegerAttr>(key).getInt());
      };
      sites.push_back({writer.text(text("file")), number("line"),
                       number("column"), getCheckKindNumber(text("kind")), 0,
                       writer.text(text("message")),
                       text("values").empty() ? std::string()
                                              : writer.text(text("values"))});
    }
  }
  // A text has a zero behind it, as drivers want of PTX. An image without bytes
  // is made when it is needed.
  // That of the host is a list of its kernels' functions.
  SmallVector<TableWriter::Record> images, list;
  for (auto [number, image] : llvm::enumerate(kernels.getImages())) {
    std::string data;
    int64_t bytes = image.data.size();
    if (image.isHost) {
      SmallVector<TableWriter::Record> functions;
      for (const KernelTable::Kernel &kernel : kernels.getKernels())
        if (kernel.image == static_cast<int32_t>(number))
          functions.push_back(
              {writer.text(kernel.name), kernel.name + ".kernel"});
      data = writer.list(functions);
      bytes = int64_t(functions.size() * 2 * sizeof(void *));
    } else if (bytes > 0) {
      data = writer.text(image.data.getValue());
    }
    images.push_back({image.format, static_cast<int32_t>(bytes), data,
                      writer.text(image.options)});
  }
  for (const KernelTable::Kernel &kernel : kernels.getKernels())
    list.push_back(
        {writer.text(kernel.name), kernel.image, kernel.indexBits,
         writer.text(kernel.letters), kernel.flags,
         kernel.parts.empty() ? std::string() : writer.text(kernel.parts)});
  auto numEntries = static_cast<int32_t>(records.size());
  auto numSites = static_cast<int32_t>(sites.size());
  StringRef file = "program";
  if (FileLineColLoc place = dyn_cast<FileLineColLoc>(entries.front().loc))
    file = place.getFilename().getValue();
  TableWriter::Record table = {abiVersion,
                               numEntries,
                               writer.list(records),
                               writer.list(sites),
                               numSites,
                               kernels.getTarget(),
                               writer.text(file),
                               static_cast<int32_t>(images.size()),
                               static_cast<int32_t>(list.size()),
                               writer.list(images),
                               writer.list(list)};
  std::string symbol = getProgramName(module, file) + "_program";
  writer.record(symbol, table);
  writer.alias("arrt_program_table", symbol, table);
  return success();
}
