//===- Type.h - Types of the language ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A type is an immutable value; copying one copies a pointer. The element of
// an array is a scalar, a tuple or a struct, never an array: an array of arrays
// is one array of higher rank. Components of an element tuple may be arrays
// themselves: the value of `for i in n { (x[i], row) }` has the element type
// `(f32, f32[m])`, and its component 1 is a `f32[n, m]`.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_TYPE_H
#define ARRC_FRONTEND_TYPE_H

#include "arrc/Frontend/Size.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace arrc {

namespace ast {
struct StructDecl;
} // namespace ast

/// The scalars of the language. The last four are open: literals that have not
/// met a type. They occur while an export is being checked, never afterwards.
enum class ScalarKind : uint8_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
  C64,
  C128,
  /// An integer literal: becomes any number.
  OpenInt,
  /// A float literal: becomes any float or complex number.
  OpenFloat,
  /// `complex(x, y)` of open floats: becomes c64 or c128.
  OpenComplex,
  /// `zeros`, `ones`: becomes anything.
  OpenAny,
};

/// The name in the language: "bool", "int" for I64, "f32", ..
llvm::StringRef name(ScalarKind kind);
/// The name as an element of an array parameter: "i64" for I64.
llvm::StringRef elementName(ScalarKind kind);
/// The scalar of that name; "int" is I64.
std::optional<ScalarKind> scalarByName(llvm::StringRef name);
bool isOpen(ScalarKind kind);
bool isSignedInt(ScalarKind kind);
bool isUnsignedInt(ScalarKind kind);
/// Signed or unsigned, not open.
bool isInteger(ScalarKind kind);
/// f16 to f64, not open.
bool isFloat(ScalarKind kind);
bool isComplex(ScalarKind kind);
/// Bits of one value; 8 for bool.
unsigned bitWidth(ScalarKind kind);
/// f32 for c64, f64 for c128.
ScalarKind realPart(ScalarKind kind);

class Type;

/// One dimension of an array.
struct Dim {
  /// Its size; of a ragged dimension nothing.
  Size size;
  /// Whether rows differ in size.
  bool ragged = false;

  /*implicit*/ Dim(Size size) : size(std::move(size)) {}
  static Dim makeRagged() {
    Dim d{Size()};
    d.ragged = true;
    return d;
  }
};

/// A component of a tuple or struct.
struct Component;

/// A type; empty (converts to false) where there is none.
class Type {
public:
  enum class Kind : uint8_t {
    /// Of an expression that has been reported; fits everything.
    Error,
    /// Of a block or `if` without a value.
    None,
    Scalar,
    Array,
    Tuple,
    Struct,
    /// Of a function value; only while checking.
    Function,
  };

  Type() = default;
  static Type error();
  static Type none();
  /*implicit*/ Type(ScalarKind kind);
  static Type boolean() { return ScalarKind::Bool; }
  static Type integer() { return ScalarKind::I64; }
  /// An array; an array as element adds its dimensions at the end, and without
  /// dimensions it is the element.
  static Type array(Type element, std::vector<Dim> dims);
  static Type tuple(std::vector<Type> components);
  /// A struct; two structs are one type if they have one declaration.
  static Type structure(const ast::StructDecl *decl,
                        std::vector<Component> fields);
  static Type function(std::vector<Type> params, Type result);

  explicit operator bool() const { return impl != nullptr; }
  Kind kind() const;
  bool isError() const { return kind() == Kind::Error; }
  bool isNone() const { return kind() == Kind::None; }
  bool isScalar() const { return kind() == Kind::Scalar; }
  bool isScalar(ScalarKind k) const { return isScalar() && scalar() == k; }
  bool isArray() const { return kind() == Kind::Array; }
  bool isTuple() const { return kind() == Kind::Tuple; }
  bool isStruct() const { return kind() == Kind::Struct; }
  bool isFunction() const { return kind() == Kind::Function; }
  /// Whether it is a tuple or a struct.
  bool isAggregate() const { return isTuple() || isStruct(); }
  /// Whether it has an open scalar in it.
  bool isOpen() const;

  /// Of a scalar.
  ScalarKind scalar() const;
  /// Of an array: its element; of anything else: itself.
  Type element() const;
  /// Of an array: its dimensions; of anything else none.
  llvm::ArrayRef<Dim> dims() const;
  unsigned rank() const { return dims().size(); }
  /// Of a tuple or struct: its components, in declared order.
  llvm::ArrayRef<Component> components() const;
  unsigned numComponents() const { return components().size(); }
  /// Of a struct.
  const ast::StructDecl *structDecl() const;
  /// Of a struct: its name.
  llvm::StringRef structName() const;
  /// Of a function.
  llvm::ArrayRef<Type> params() const;
  Type result() const;

  /// Of a tuple, a struct or an array of them: component `k`, with the
  /// dimensions of the array in front.
  Type component(unsigned k) const;
  /// The number of a field, or nothing.
  std::optional<unsigned> fieldNumber(llvm::StringRef name) const;
  /// Of an array: what is left when the first `n` dimensions have one index
  /// each.
  Type dropDims(unsigned n) const;
  /// An array of this with the dimensions in front.
  Type withDims(llvm::ArrayRef<Dim> front) const;
  /// The same with another scalar for each scalar.
  Type mapScalars(llvm::function_ref<ScalarKind(ScalarKind)> fn) const;
  /// The same with every size replaced.
  Type mapSizes(llvm::function_ref<Size(const Size &)> fn) const;
  /// The same with another element.
  Type withElement(Type element) const;

  /// Equal but for sizes: kinds, scalars, ranks, structs.
  static bool sameShapeless(const Type &a, const Type &b);

  /// As it is written: `f32[n, 3]`, `(f32, int)`. Open ones read "integer
  /// literal" and so on.
  std::string str() const;

  /// What one array or scalar of the machine holds of this value: the scalars
  /// in declared order, each with its dimensions and its path such as
  /// "pos" or "0.vel" (empty for a scalar or array itself).
  struct Leaf {
    std::string path;
    ScalarKind scalar;
    std::vector<Dim> dims;
  };
  std::vector<Leaf> leaves() const;
  /// How many leaves there are, at most `maxScalars + 1`: who nests a tuple in
  /// a tuple in a tuple has more of them than memory.
  size_t numScalars() const;
  static constexpr size_t maxScalars = 4096;
  /// How deep tuples and structs are nested in it.
  unsigned depth() const;
  static constexpr unsigned maxDepth = 256;

private:
  struct Storage;
  explicit Type(std::shared_ptr<const Storage> impl) : impl(std::move(impl)) {}
  std::shared_ptr<const Storage> impl;
};

struct Component {
  /// Of a struct field; empty in a tuple.
  std::string name;
  Type type;
};

} // namespace arrc

#endif // ARRC_FRONTEND_TYPE_H
