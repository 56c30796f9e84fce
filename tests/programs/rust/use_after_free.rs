// SPDX-License-Identifier: MIT
// A box that is freed while the other thread may look.
// expect: rc11 error free-race
use std::sync::atomic::{AtomicPtr, Ordering::*};
use std::thread;

static AT: AtomicPtr<u32> = AtomicPtr::new(std::ptr::null_mut());

fn main() {
    AT.store(Box::into_raw(Box::new(7)), Release);
    let t = thread::spawn(|| {
        let p = AT.load(Acquire);
        if !p.is_null() {
            assert_eq!(unsafe { *p }, 7);
        }
    });
    let p = AT.swap(std::ptr::null_mut(), AcqRel);
    drop(unsafe { Box::from_raw(p) });
    t.join().unwrap();
}
