// SPDX-License-Identifier: MIT
// heddle optimize --diff for programs that are written in the names of the
// Linux kernel.
#pragma once

#include "optimise/optimise.h"
#include "optimise/source/source.h"

// Does the file include the kernel's headers?
bool kernel_is_file(const struct source_file *f);
// Gives the operation of a site the name that it has under `to`. False: it has
// none, or is not found.
bool kernel_edit(struct source_file *f, const struct order_site *site, mode to);
