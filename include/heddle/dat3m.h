// SPDX-License-Identifier: MIT
// The header of Dartagnan's benchmarks; the names are in <heddle.h>.
#pragma once

#include <heddle.h>

__HEDDLE_BEGIN
// Declared only: a program that calls these is refused there.
void __VERIFIER_make_interrupt_handler(void);
void __VERIFIER_disable_irq(void);
void __VERIFIER_enable_irq(void);
void __VERIFIER_make_cb(void);
int __VERIFIER_racy_read(int *at);
void __VERIFIER_racy_write(int *at, int value);
__HEDDLE_END
