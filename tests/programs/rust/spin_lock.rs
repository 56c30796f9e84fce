// SPDX-License-Identifier: MIT
// A spin lock of one's own.
// run: rc11 ok
// run: flags=--cfg flags=weak rc11 error race
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering, Ordering::*};
use std::thread;

struct Spin(AtomicBool, UnsafeCell<u32>);
unsafe impl Sync for Spin {}
static LOCK: Spin = Spin(AtomicBool::new(false), UnsafeCell::new(0));
const GIVE: Ordering = if cfg!(weak) { Relaxed } else { Release };

fn add() {
    while LOCK.0.compare_exchange(false, true, Acquire, Relaxed).is_err() {
        std::hint::spin_loop();
    }
    unsafe { *LOCK.1.get() += 1 };
    LOCK.0.store(false, GIVE);
}

fn main() {
    let t = thread::spawn(add);
    add();
    t.join().unwrap();
    assert_eq!(unsafe { *LOCK.1.get() }, 2);
}
