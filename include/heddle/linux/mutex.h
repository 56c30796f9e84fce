// SPDX-License-Identifier: MIT
// Mutexes of the Linux kernel. They order as spinlocks do: its model has no
// rule of their own for them.
#pragma once

#include <linux/compiler.h>

struct mutex {
  spinlock_t lock;
};
#define __MUTEX_INITIALIZER(name)                                              \
  { __SPIN_LOCK_UNLOCKED(name) }
#define DEFINE_MUTEX(name) struct mutex name = __MUTEX_INITIALIZER(name)
#define mutex_init(m) spin_lock_init(&(m)->lock)
#define mutex_destroy(m) ((void)(m))
#define mutex_lock(m) spin_lock(&(m)->lock)
#define mutex_lock_nested(m, subclass) spin_lock(&(m)->lock)
#define mutex_unlock(m) spin_unlock(&(m)->lock)
#define mutex_trylock(m) spin_trylock(&(m)->lock)
#define mutex_is_locked(m) spin_is_locked(&(m)->lock)
