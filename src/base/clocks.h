// SPDX-License-Identifier: MIT
// Functions that look at a clock. rt/clock.c does nothing in programs without
// them, and threads that main creates are noted only in programs with them
// (front/lower/builtin.c).
#pragma once

// Of C and POSIX.
#define CLOCKS(_)                                                              \
  _(clock_gettime)                                                             \
  _(gettimeofday)                                                              \
  _(time)                                                                      \
  _(timespec_get)                                                              \
  _(clock)

// std::chrono's now(), of libstdc++ and libc++.
#define CLOCKS_OF_CXX(_)                                                       \
  _(_ZNSt6chrono3_V212steady_clock3nowEv)                                      \
  _(_ZNSt6chrono3_V212system_clock3nowEv)                                      \
  _(_ZNSt3__16chrono12steady_clock3nowEv)                                      \
  _(_ZNSt3__16chrono12system_clock3nowEv)
