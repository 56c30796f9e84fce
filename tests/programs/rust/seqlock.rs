// SPDX-License-Identifier: MIT
// A sequence lock over relaxed atomics.
// run: rc11 ok
// run: flags=--cfg flags=weak rc11 error panic
use std::sync::atomic::{fence, AtomicU32, Ordering::*};
use std::thread;

static SEQ: AtomicU32 = AtomicU32::new(0);
static A: AtomicU32 = AtomicU32::new(0);
static B: AtomicU32 = AtomicU32::new(0);

fn main() {
    let t = thread::spawn(|| {
        SEQ.store(1, Relaxed);
        fence(Release);
        A.store(1, Relaxed);
        B.store(1, Relaxed);
        SEQ.store(2, Release);
    });
    let before = SEQ.load(Acquire);
    let (a, b) = (A.load(Relaxed), B.load(Relaxed));
    if !cfg!(weak) {
        fence(Acquire);
    }
    let after = SEQ.load(Relaxed);
    if before == after && before % 2 == 0 {
        assert_eq!(a, b); // BUG
    }
    t.join().unwrap();
}
