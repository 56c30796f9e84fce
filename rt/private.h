// SPDX-License-Identifier: MIT
// Functions and variables that the files of rt/ share. The names are good ones,
// so checked programs have them too (`pthread_once_t once`, a `cond_wait` of
// one's own); what a program defines takes the place of the library's, so here
// they are called something else behind the reader's back.
#pragma once

#define PRIVATE(name) __heddle_rt_##name

#define cancel_begin_join PRIVATE(cancel_begin_join)
#define cancel_end PRIVATE(cancel_end)
#define cancel_end_join PRIVATE(cancel_end_join)
#define cancel_has_come PRIVATE(cancel_has_come)
#define cancel_may_come PRIVATE(cancel_may_come)
#define cancel_or_take PRIVATE(cancel_or_take)
#define cond_broadcast PRIVATE(cond_broadcast)
#define cond_destroy PRIVATE(cond_destroy)
#define cond_init PRIVATE(cond_init)
#define cond_signal PRIVATE(cond_signal)
#define cond_wait PRIVATE(cond_wait)
#define destroy_thread_objects PRIVATE(destroy_thread_objects)
#define end_thread PRIVATE(end_thread)
#define exception_current PRIVATE(exception_current)
#define exception_hold PRIVATE(exception_hold)
#define exception_release PRIVATE(exception_release)
#define exception_throw_again PRIVATE(exception_throw_again)
#define exception_type PRIVATE(exception_type)
#define exception_uncaught PRIVATE(exception_uncaught)
#define held PRIVATE(held)
#define held_add PRIVATE(held_add)
#define held_find PRIVATE(held_find)
#define key_create PRIVATE(key_create)
#define key_delete PRIVATE(key_delete)
#define key_get PRIVATE(key_get)
#define key_set PRIVATE(key_set)
#define mutex_destroy PRIVATE(mutex_destroy)
#define mutex_lock PRIVATE(mutex_lock)
#define mutex_timedlock PRIVATE(mutex_timedlock)
#define mutex_trylock PRIVATE(mutex_trylock)
#define mutex_unlock PRIVATE(mutex_unlock)
#define once PRIVATE(once)
#define run_exit_handlers PRIVATE(run_exit_handlers)
#define sync_check PRIVATE(sync_check)
#define sync_init PRIVATE(sync_init)
#define type_catches PRIVATE(type_catches)
#define type_equal PRIVATE(type_equal)
