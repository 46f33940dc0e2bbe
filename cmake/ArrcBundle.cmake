# The target `bundle`: the tools in one file, linked statically against LLVM and
# MLIR, to be carried to a machine that has neither. Two tools in one file,
# chosen by the name that it is called by, hold LLVM once.
#
# Built on request (`ninja bundle`, or the preset `bundle`); utils/bundle.sh makes
# the archive. Debian's MLIR targets name the shared LLVM as a dependency, so the
# archives are given to the linker as files; lld takes out of each what is used,
# in any order.

function(arrc_bundle)
  file(GLOB upstream ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  # Test dialects register themselves; bindings for C and the runners of
  # upstream's own JIT are programs of their own.
  list(FILTER upstream EXCLUDE REGEX "libMLIR(CAPI|Test|.*Test|.*_runtime|.*runner).*\\.a$")
  find_library(ARRC_ZLIB libz.a)
  find_library(ARRC_ZSTD libzstd.a)
  if(NOT upstream OR NOT ARRC_ZLIB OR NOT ARRC_ZSTD)
    message(STATUS "No static LLVM, zlib or zstd: the target 'bundle' is not there")
    return()
  endif()

  get_property(libraries GLOBAL PROPERTY ARRC_LIBRARIES)
  set(archives)
  foreach(library ${libraries})
    list(APPEND archives $<TARGET_FILE:${library}>)
  endforeach()

  set(tools ${PROJECT_SOURCE_DIR}/tools)
  add_executable(arrc-bundle EXCLUDE_FROM_ALL
    ${tools}/bundle/bundle.cpp ${tools}/arrc/arrc.cpp ${tools}/arr-opt/arr-opt.cpp)
  # Their `main` gets a name of its own.
  set_source_files_properties(${tools}/arrc/arrc.cpp PROPERTIES COMPILE_DEFINITIONS main=arrcMain)
  set_source_files_properties(${tools}/arr-opt/arr-opt.cpp PROPERTIES COMPILE_DEFINITIONS main=arrOptMain)
  llvm_update_compile_flags(arrc-bundle)
  set_target_properties(arrc-bundle PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  # As the driver has: what a process asks of MPI before anything else.
  target_include_directories(arrc-bundle PRIVATE ${PROJECT_SOURCE_DIR}/runtime/lib)
  target_compile_definitions(arrc-bundle PRIVATE ARRC_VERSION="${PROJECT_VERSION}")
  add_dependencies(arrc-bundle arrc-headers ${libraries})
  target_link_libraries(arrc-bundle PRIVATE ${archives} ${upstream} arrt
    ${ARRC_ZLIB} ${ARRC_ZSTD} m ${CMAKE_DL_LIBS})
  target_link_options(arrc-bundle PRIVATE
    -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-s
    -Wl,--export-dynamic-symbol=llvm_orc_*)

  # The library for other programs likewise: what a wheel for Python holds.
  set(exports ${tools}/arrc/Library.map)
  add_library(arrc-portable SHARED EXCLUDE_FROM_ALL ${tools}/arrc/Library.cpp)
  llvm_update_compile_flags(arrc-portable)
  target_include_directories(arrc-portable PRIVATE ${PROJECT_SOURCE_DIR}/runtime/lib)
  target_compile_definitions(arrc-portable PRIVATE ARRC_VERSION="${PROJECT_VERSION}")
  add_dependencies(arrc-portable arrc-headers ${libraries})
  target_link_libraries(arrc-portable PRIVATE
    -Wl,--whole-archive arrt -Wl,--no-whole-archive
    ${archives} ${upstream} ${ARRC_ZLIB} ${ARRC_ZSTD} m ${CMAKE_DL_LIBS})
  target_link_options(arrc-portable PRIVATE
    -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-s
    -Wl,--version-script,${exports})
  set_target_properties(arrc-portable PROPERTIES
    OUTPUT_NAME arrc LINK_DEPENDS ${exports}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/portable)

  add_custom_target(bundle DEPENDS arrc-bundle arrt_main RuntimeConformanceCUDATests
    bench-launch)
endfunction()
