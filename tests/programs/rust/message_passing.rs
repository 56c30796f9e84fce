// SPDX-License-Identifier: MIT
// Data behind a flag, in an unsafe cell: a race unless release and acquire
// order it.
// run: rc11 ok
// run: flags=--cfg flags=weak rc11 error race
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering, Ordering::*};
use std::thread;

struct Shared(UnsafeCell<u32>);
unsafe impl Sync for Shared {}
static DATA: Shared = Shared(UnsafeCell::new(0));
static READY: AtomicBool = AtomicBool::new(false);
const PUT: Ordering = if cfg!(weak) { Relaxed } else { Release };

fn main() {
    let t = thread::spawn(|| {
        unsafe { *DATA.0.get() = 42 };
        READY.store(true, PUT);
    });
    if READY.load(Acquire) {
        assert_eq!(unsafe { *DATA.0.get() }, 42);
    }
    t.join().unwrap();
}
