//===- Type.cpp - Types of the language -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Type.h"

#include "arrc/Frontend/AST.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace arrc;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

llvm::StringRef arrc::elementName(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::Bool:
    return "bool";
  case ScalarKind::I8:
    return "i8";
  case ScalarKind::I16:
    return "i16";
  case ScalarKind::I32:
    return "i32";
  case ScalarKind::I64:
    return "i64";
  case ScalarKind::U8:
    return "u8";
  case ScalarKind::U16:
    return "u16";
  case ScalarKind::U32:
    return "u32";
  case ScalarKind::U64:
    return "u64";
  case ScalarKind::F16:
    return "f16";
  case ScalarKind::BF16:
    return "bf16";
  case ScalarKind::F32:
    return "f32";
  case ScalarKind::F64:
    return "f64";
  case ScalarKind::C64:
    return "c64";
  case ScalarKind::C128:
    return "c128";
  case ScalarKind::OpenInt:
    return "an integer literal";
  case ScalarKind::OpenFloat:
    return "a float literal";
  case ScalarKind::OpenComplex:
    return "a complex literal";
  case ScalarKind::OpenAny:
    return "a number";
  }
  llvm_unreachable("no such scalar");
}

llvm::StringRef arrc::name(ScalarKind kind) {
  return kind == ScalarKind::I64 ? "int" : elementName(kind);
}

std::optional<ScalarKind> arrc::scalarByName(llvm::StringRef name) {
  if (name == "int")
    return ScalarKind::I64;
  for (unsigned k = 0; k <= unsigned(ScalarKind::C128); ++k)
    if (elementName(ScalarKind(k)) == name)
      return ScalarKind(k);
  return std::nullopt;
}

bool arrc::isOpen(ScalarKind k) { return k >= ScalarKind::OpenInt; }
bool arrc::isSignedInt(ScalarKind k) {
  return k >= ScalarKind::I8 && k <= ScalarKind::I64;
}
bool arrc::isUnsignedInt(ScalarKind k) {
  return k >= ScalarKind::U8 && k <= ScalarKind::U64;
}
bool arrc::isInteger(ScalarKind k) {
  return k >= ScalarKind::I8 && k <= ScalarKind::U64;
}
bool arrc::isFloat(ScalarKind k) {
  return k >= ScalarKind::F16 && k <= ScalarKind::F64;
}
bool arrc::isComplex(ScalarKind k) {
  return k == ScalarKind::C64 || k == ScalarKind::C128 ||
         k == ScalarKind::OpenComplex;
}

unsigned arrc::bitWidth(ScalarKind k) {
  switch (k) {
  case ScalarKind::Bool:
  case ScalarKind::I8:
  case ScalarKind::U8:
    return 8;
  case ScalarKind::I16:
  case ScalarKind::U16:
  case ScalarKind::F16:
  case ScalarKind::BF16:
    return 16;
  case ScalarKind::I32:
  case ScalarKind::U32:
  case ScalarKind::F32:
    return 32;
  case ScalarKind::C128:
    return 128;
  default:
    return 64;
  }
}

ScalarKind arrc::realPart(ScalarKind k) {
  return k == ScalarKind::C64           ? ScalarKind::F32
         : k == ScalarKind::C128        ? ScalarKind::F64
         : k == ScalarKind::OpenComplex ? ScalarKind::OpenFloat
                                        : k;
}

//===----------------------------------------------------------------------===//
// Making types
//===----------------------------------------------------------------------===//

struct Type::Storage {
  Kind kind;
  ScalarKind scalar = ScalarKind::Bool;
  /// Of an array its element, of a function its result.
  Type element = {};
  std::vector<Dim> dims = {};
  std::vector<Component> components = {};
  const ast::StructDecl *decl = nullptr;
  std::vector<Type> params = {};
  size_t numScalars = 1;
  unsigned depth = 0;
  /// Sums up, without counting what is shared again.
  void countScalars() {
    numScalars = 0;
    for (const Component &c : components) {
      numScalars = std::min(numScalars + c.type.numScalars(), maxScalars + 1);
      depth = std::max(depth, c.type.depth() + 1);
    }
  }
};

Type Type::error() {
  static const Type t(std::make_shared<Storage>(Storage{Kind::Error}));
  return t;
}

Type Type::none() {
  static const Type t(std::make_shared<Storage>(Storage{Kind::None}));
  return t;
}

Type::Type(ScalarKind k) {
  static const auto table = [] {
    std::vector<std::shared_ptr<const Storage>> all;
    for (unsigned i = 0; i <= unsigned(ScalarKind::OpenAny); ++i)
      all.push_back(
          std::make_shared<Storage>(Storage{Kind::Scalar, ScalarKind(i)}));
    return all;
  }();
  impl = table[unsigned(k)];
}

Type Type::array(Type element, std::vector<Dim> dims) {
  if (element.isError() || dims.empty())
    return element;
  if (element.isArray()) {
    dims.insert(dims.end(), element.dims().begin(), element.dims().end());
    element = element.element();
  }
  auto s = std::make_shared<Storage>(Storage{Kind::Array});
  s->numScalars = element.numScalars();
  s->depth = element.depth();
  s->element = std::move(element);
  s->dims = std::move(dims);
  return Type(std::move(s));
}

Type Type::tuple(std::vector<Type> components) {
  auto s = std::make_shared<Storage>(Storage{Kind::Tuple});
  for (Type &t : components) {
    if (t.isError())
      return t;
    s->components.push_back({"", std::move(t)});
  }
  s->countScalars();
  return Type(std::move(s));
}

Type Type::structure(const ast::StructDecl *decl,
                     std::vector<Component> fields) {
  auto s = std::make_shared<Storage>(Storage{Kind::Struct});
  s->decl = decl;
  s->components = std::move(fields);
  s->countScalars();
  return Type(std::move(s));
}

Type Type::function(std::vector<Type> params, Type result) {
  auto s = std::make_shared<Storage>(Storage{Kind::Function});
  s->params = std::move(params);
  s->element = std::move(result);
  return Type(std::move(s));
}

//===----------------------------------------------------------------------===//
// Asking types
//===----------------------------------------------------------------------===//

Type::Kind Type::kind() const {
  assert(impl && "no type");
  return impl->kind;
}

bool Type::isOpen() const {
  switch (kind()) {
  case Kind::Scalar:
    return arrc::isOpen(impl->scalar);
  case Kind::Array:
    return impl->element.isOpen();
  case Kind::Tuple:
    return llvm::any_of(impl->components,
                        [](const Component &c) { return c.type.isOpen(); });
  default:
    return false;
  }
}

ScalarKind Type::scalar() const {
  assert(isScalar());
  return impl->scalar;
}

size_t Type::numScalars() const { return impl->numScalars; }

unsigned Type::depth() const { return impl->depth; }

Type Type::element() const { return isArray() ? impl->element : *this; }

llvm::ArrayRef<Dim> Type::dims() const {
  if (!isArray())
    return {};
  return impl->dims;
}

llvm::ArrayRef<Component> Type::components() const { return impl->components; }

const ast::StructDecl *Type::structDecl() const { return impl->decl; }

llvm::StringRef Type::structName() const { return impl->decl->name.text; }

llvm::ArrayRef<Type> Type::params() const { return impl->params; }

Type Type::result() const { return impl->element; }

Type Type::component(unsigned k) const {
  return element().components()[k].type.withDims(dims());
}

std::optional<unsigned> Type::fieldNumber(llvm::StringRef name) const {
  for (auto [i, c] : llvm::enumerate(components()))
    if (!c.name.empty() && c.name == name)
      return i;
  return std::nullopt;
}

Type Type::dropDims(unsigned n) const {
  if (!n)
    return *this;
  return array(element(), dims().drop_front(n).vec());
}

Type Type::withDims(llvm::ArrayRef<Dim> front) const {
  return array(*this, front.vec());
}

Type Type::withElement(Type e) const { return e.withDims(dims()); }

Type Type::mapScalars(llvm::function_ref<ScalarKind(ScalarKind)> fn) const {
  switch (kind()) {
  case Kind::Scalar:
    return fn(impl->scalar);
  case Kind::Array:
    return withElement(impl->element.mapScalars(fn));
  case Kind::Tuple: {
    std::vector<Type> all;
    for (const Component &c : impl->components)
      all.push_back(c.type.mapScalars(fn));
    return tuple(std::move(all));
  }
  default:
    return *this;
  }
}

Type Type::mapSizes(llvm::function_ref<Size(const Size &)> fn) const {
  switch (kind()) {
  case Kind::Array: {
    std::vector<Dim> dims;
    for (const Dim &d : impl->dims)
      dims.push_back(d.ragged ? d : Dim(fn(d.size)));
    return array(impl->element.mapSizes(fn), std::move(dims));
  }
  case Kind::Tuple: {
    std::vector<Type> all;
    for (const Component &c : impl->components)
      all.push_back(c.type.mapSizes(fn));
    return tuple(std::move(all));
  }
  default:
    return *this;
  }
}

bool Type::sameShapeless(const Type &a, const Type &b) {
  if (a.impl == b.impl)
    return true;
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case Kind::Scalar:
    return a.scalar() == b.scalar();
  case Kind::Array:
    return a.rank() == b.rank() && sameShapeless(a.element(), b.element());
  case Kind::Tuple:
    return a.numComponents() == b.numComponents() &&
           llvm::all_of(llvm::zip(a.components(), b.components()), [](auto p) {
             return sameShapeless(std::get<0>(p).type, std::get<1>(p).type);
           });
  case Kind::Struct:
    return a.structDecl() == b.structDecl();
  case Kind::Function:
    return a.params().size() == b.params().size() &&
           llvm::all_of(llvm::zip(a.params(), b.params()),
                        [](auto p) {
                          return sameShapeless(std::get<0>(p), std::get<1>(p));
                        }) &&
           sameShapeless(a.result(), b.result());
  default:
    return true;
  }
}

std::string Type::str() const {
  switch (kind()) {
  case Kind::Error:
    return "<error>";
  case Kind::None:
    return "no value";
  case Kind::Scalar:
    return name(impl->scalar).str();
  case Kind::Array: {
    std::string s = impl->element.str() + "[";
    for (auto [i, d] : llvm::enumerate(impl->dims)) {
      s += i ? ", " : "";
      s += d.ragged ? "?" : d.size.str();
    }
    return s + "]";
  }
  case Kind::Tuple: {
    std::string s = "(";
    for (auto [i, c] : llvm::enumerate(impl->components))
      s += (i ? ", " : "") + c.type.str();
    return s + ")";
  }
  case Kind::Struct:
    return structName().str();
  case Kind::Function: {
    std::string s = "fn(";
    for (auto [i, p] : llvm::enumerate(impl->params))
      s += (i ? ", " : "") + p.str();
    return s + ") -> " + impl->element.str();
  }
  }
  llvm_unreachable("no such type");
}

static void collectLeaves(const Type &t, const std::string &path,
                          std::vector<Dim> front,
                          std::vector<Type::Leaf> &leaves) {
  if (t.isArray()) {
    front.insert(front.end(), t.dims().begin(), t.dims().end());
    return collectLeaves(t.element(), path, std::move(front), leaves);
  }
  if (t.isScalar()) {
    leaves.push_back({path, t.scalar(), std::move(front)});
    return;
  }
  if (!t.isAggregate())
    return;
  for (auto [i, c] : llvm::enumerate(t.components()))
    collectLeaves(c.type,
                  path + (path.empty() ? "" : ".") +
                      (c.name.empty() ? std::to_string(i) : c.name),
                  front, leaves);
}

std::vector<Type::Leaf> Type::leaves() const {
  std::vector<Leaf> all;
  collectLeaves(*this, "", {}, all);
  return all;
}
