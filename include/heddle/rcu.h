// SPDX-License-Identifier: MIT
// The header of Dartagnan's benchmarks of RCU; the names are in <lkmm.h>.
#pragma once

#include <lkmm.h>

#define init_rcu() ((void)0)
