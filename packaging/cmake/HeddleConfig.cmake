# SPDX-License-Identifier: MIT
# find_package(Heddle) and then
#
#   heddle_add_test(queue.c MODELS rc11 armv8)
#
# adds a test for ctest per model: no execution of the program under the model
# may have an error. With
#
#   NAME name           its name; otherwise that of the first file
#   FLAGS -DN=3 ...     for the compiler
#   OPTIONS --unroll 2  for heddle check
#   TARGET library      the include directories and macros of a target
#   EXPECT race         it must have an error of this kind
#
# Files are relative to the folder of the CMakeLists.txt.
find_program(HEDDLE_EXECUTABLE heddle
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" REQUIRED)
set(Heddle_FOUND TRUE)

function(heddle_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 H "" "NAME;TARGET;EXPECT"
    "MODELS;FLAGS;OPTIONS")
  set(files ${H_UNPARSED_ARGUMENTS})
  if(NOT files)
    message(FATAL_ERROR "heddle_add_test: which files?")
  endif()
  list(GET files 0 first)
  if(NOT H_NAME)
    get_filename_component(H_NAME "${first}" NAME_WE)
  endif()
  if(NOT H_MODELS)
    set(H_MODELS rc11)
  endif()
  set(flags ${H_FLAGS})
  if(H_TARGET)
    foreach(kind IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
      if(kind STREQUAL INCLUDE_DIRECTORIES)
        set(flag -I)
      else()
        set(flag -D)
      endif()
      set(list "$<TARGET_PROPERTY:${H_TARGET},${kind}>")
      list(APPEND flags "$<$<BOOL:${list}>:${flag}$<JOIN:${list},;${flag}>>")
    endforeach()
  endif()
  foreach(model IN LISTS H_MODELS)
    set(test "heddle.${H_NAME}.${model}")
    add_test(NAME "${test}"
      COMMAND "${HEDDLE_EXECUTABLE}" check --model "${model}" ${H_OPTIONS}
        ${files} -- "${flags}"
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      COMMAND_EXPAND_LISTS)
    if(H_EXPECT)
      # An error ends with exit code 1, but so should bad input not pass.
      set_tests_properties("${test}" PROPERTIES
        PASS_REGULAR_EXPRESSION "\\[${H_EXPECT}\\]")
    endif()
  endforeach()
endfunction()
