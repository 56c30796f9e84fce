// SPDX-License-Identifier: MIT
// As the Linux kernel calls it.
#pragma once

#include <linux/compiler.h>
