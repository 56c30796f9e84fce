// SPDX-License-Identifier: MIT
// The Linux kernel's primitives, by a longer name.
#pragma once

#include <lkmm.h>
