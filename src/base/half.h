// SPDX-License-Identifier: MIT
// _Float16, by way of double, which holds each of its numbers. The host's
// compiler need not have the type.
#pragma once

#include <stdint.h>

double half_of(uint16_t bits);
// To nearest, and half way to even.
uint16_t half_bits(double d);
