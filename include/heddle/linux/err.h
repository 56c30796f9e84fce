// SPDX-License-Identifier: MIT
// Pointers that hold the number of an error.
#pragma once

#include <errno.h>
#include <linux/compiler.h>

#define MAX_ERRNO 4095
#define IS_ERR_VALUE(x) ((unsigned long)(x) >= (unsigned long)-MAX_ERRNO)
#define ERR_PTR(error) ((void *)(long)(error))
#define PTR_ERR(p) ((long)(p))
#define IS_ERR(p) IS_ERR_VALUE(p)
#define IS_ERR_OR_NULL(p) (!(p) || IS_ERR_VALUE(p))
