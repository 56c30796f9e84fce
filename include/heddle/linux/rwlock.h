// SPDX-License-Identifier: MIT
// Locks for one writer or several readers. The kernel's model has none: here
// taking one acquires, and giving it back releases.
#pragma once

#include <linux/compiler.h>

typedef struct {
  int word; // the number of readers; -1: a writer
} rwlock_t;
#define __RW_LOCK_UNLOCKED(name)                                               \
  { 0 }
#define DEFINE_RWLOCK(name) rwlock_t name = __RW_LOCK_UNLOCKED(name)
#define rwlock_init(lock) ((void)((lock)->word = 0))

bool read_trylock(rwlock_t *lock);
void read_lock(rwlock_t *lock);
void read_unlock(rwlock_t *lock);
bool write_trylock(rwlock_t *lock);
void write_lock(rwlock_t *lock);
void write_unlock(rwlock_t *lock);
#define read_lock_bh(lock) read_lock(lock)
#define read_unlock_bh(lock) read_unlock(lock)
#define write_lock_bh(lock) write_lock(lock)
#define write_unlock_bh(lock) write_unlock(lock)
#define read_lock_irq(lock) read_lock(lock)
#define read_unlock_irq(lock) read_unlock(lock)
#define write_lock_irq(lock) write_lock(lock)
#define write_unlock_irq(lock) write_unlock(lock)
#define read_lock_irqsave(lock, flags) ((void)((flags) = 0), read_lock(lock))
#define read_unlock_irqrestore(lock, flags) ((void)(flags), read_unlock(lock))
#define write_lock_irqsave(lock, flags) ((void)((flags) = 0), write_lock(lock))
#define write_unlock_irqrestore(lock, flags) ((void)(flags), write_unlock(lock))
