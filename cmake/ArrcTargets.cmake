# The functions that a newcomer copies.
#
#   arrc_tablegen(<file.td> <gen> <out.inc> [<gen> <out.inc> ...])
#   arrc_library(<name> <sources...> [LINK <libraries...>])
#   arrc_tool(<name> <sources...> [LINK <libraries...>])
#   arrc_compiler_library()
#   arrc_shared_library(<name> <sources...> NAME <file> EXPORTS <script>
#                       [WHOLE <archive>] [LINK <libraries...>])
#   arrc_unittest(<name> <sources...> [LINK <libraries...>])

# Everything that TableGen writes hangs on this one target, so that no library
# has to name the headers that it includes.
add_custom_target(arrc-headers)

# arrc_tablegen(Ops.td -gen-op-decls Ops.h.inc -gen-op-defs Ops.cpp.inc)
# Options of a generator are joined with it: "-gen-dialect-decls -dialect=array".
function(arrc_tablegen td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest gen out)
    separate_arguments(gen)
    mlir_tablegen(${out} ${gen})
  endwhile()
  string(MAKE_C_IDENTIFIER "${CMAKE_CURRENT_SOURCE_DIR}/${td}" id)
  string(SHA1 id "${id}")
  string(SUBSTRING ${id} 0 8 id)
  get_filename_component(stem ${td} NAME_WE)
  add_public_tablegen_target(arrc-inc-${stem}-${id})
  add_dependencies(arrc-headers arrc-inc-${stem}-${id})
endfunction()

# One precompiled header for the whole compiler: an object library whose header
# the others reuse.
if(ARRC_ENABLE_PCH)
  file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp "")
  add_library(arrc_pch OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
  llvm_update_compile_flags(arrc_pch)
  target_precompile_headers(arrc_pch PRIVATE
    <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/PatternMatch.h>
    <mlir/IR/OpImplementation.h> <mlir/Pass/Pass.h>
    <mlir/Dialect/Affine/IR/AffineOps.h>
    <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h> <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>)
endif()

function(_arrc_common target)
  # -fPIC comes from HandleLLVMOptions; -fPIE for executables would not match
  # the precompiled header.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  llvm_update_compile_flags(${target})
  add_dependencies(${target} arrc-headers)
  if(ARRC_ENABLE_PCH)
    target_precompile_headers(${target} REUSE_FROM arrc_pch)
  endif()
endfunction()

# Has a library of ARRC_COVERAGE_OF count which of its lines run; the others are
# as in every build.
function(arrc_cover target)
  if(target IN_LIST ARRC_COVERAGE_OF)
    target_compile_options(${target} PRIVATE -fprofile-instr-generate -fcoverage-mapping)
  endif()
endfunction()

function(arrc_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  _arrc_common(${name})
  arrc_cover(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  set_property(GLOBAL APPEND PROPERTY ARRC_LIBRARIES ${name})
endfunction()

function(arrc_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _arrc_common(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH "${LLVM_LIBRARY_DIR}"
    INSTALL_RPATH "\$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")
  install(TARGETS ${name} EXPORT arrcTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# A library for programs that are not of this project: it shows what the script
# names, all of the archive WHOLE included.
function(arrc_shared_library name)
  cmake_parse_arguments(ARG "" "NAME;EXPORTS;WHOLE" "LINK" ${ARGN})
  add_library(${name} SHARED ${ARG_UNPARSED_ARGUMENTS})
  _arrc_common(${name})
  target_link_libraries(${name} PRIVATE
    -Wl,--whole-archive ${ARG_WHOLE} -Wl,--no-whole-archive
    ${ARG_LINK} MLIR LLVM)
  target_link_options(${name} PRIVATE -Wl,--version-script,${ARG_EXPORTS})
  # The functions of sanitizers and of counters of lines are in the program.
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR ARRC_COVERAGE_OF)
    target_link_options(${name} PRIVATE -Wl,-z,undefs)
  endif()
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME ${ARG_NAME}
    LINK_DEPENDS ${ARG_EXPORTS}
    BUILD_RPATH "${LLVM_LIBRARY_DIR}"
    INSTALL_RPATH "\$ORIGIN;${LLVM_LIBRARY_DIR}")
  install(TARGETS ${name} EXPORT arrcTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# arrc-compiler: all libraries so far as one, which the tools share with plugins.
# Where code is checked or counted it is none of its own, but those libraries.
function(arrc_compiler_library)
  get_property(libraries GLOBAL PROPERTY ARRC_LIBRARIES)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize|-fprofile-instr-generate" OR ARRC_COVERAGE_OF)
    add_library(arrc-compiler INTERFACE)
    target_link_libraries(arrc-compiler INTERFACE ${libraries})
    return()
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/compiler.cpp "")
  add_library(arrc-compiler SHARED ${CMAKE_BINARY_DIR}/compiler.cpp)
  llvm_update_compile_flags(arrc-compiler)
  target_link_libraries(arrc-compiler PRIVATE
    -Wl,--whole-archive ${libraries} -Wl,--no-whole-archive MLIR LLVM)
  target_link_options(arrc-compiler PRIVATE -Wl,-Bsymbolic-functions)
  target_include_directories(arrc-compiler INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(arrc-compiler PROPERTIES
    BUILD_RPATH "${LLVM_LIBRARY_DIR}" INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
  install(TARGETS arrc-compiler EXPORT arrcTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  foreach(folder ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    install(DIRECTORY ${folder}/include/arrc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
      FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.def")
  endforeach()
endfunction()

function(arrc_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _arrc_common(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH "${LLVM_LIBRARY_DIR}"
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  add_dependencies(arrc-unittests ${name})
endfunction()
add_custom_target(arrc-unittests)
