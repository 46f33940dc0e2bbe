# What an installation is found by: find_package(arrc), and pkg-config's `arrt`.
include(CMakePackageConfigHelpers)
set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/arrc)
install(EXPORT arrcTargets NAMESPACE arrc:: DESTINATION ${folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/arrcConfig.cmake.in
  ${PROJECT_BINARY_DIR}/arrcConfig.cmake INSTALL_DESTINATION ${folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/arrcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/arrcConfig.cmake
  ${PROJECT_BINARY_DIR}/arrcConfigVersion.cmake DESTINATION ${folder})
configure_file(${CMAKE_CURRENT_LIST_DIR}/arrt.pc.in ${PROJECT_BINARY_DIR}/arrt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/arrt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
