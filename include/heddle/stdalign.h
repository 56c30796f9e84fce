// SPDX-License-Identifier: MIT
// Alignment (C17 7.15).
#pragma once

#ifndef __cplusplus
#define alignas _Alignas
#define alignof _Alignof
#endif
#define __alignas_is_defined 1
#define __alignof_is_defined 1
