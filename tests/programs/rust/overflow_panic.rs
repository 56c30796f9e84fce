// SPDX-License-Identifier: MIT
// Without optimisation an overflow panics.
// expect: rc11 error panic
use std::sync::atomic::{AtomicU8, Ordering::*};
use std::thread;

static N: AtomicU8 = AtomicU8::new(0);

fn main() {
    let t = thread::spawn(|| N.store(1, Relaxed));
    let left = N.load(Relaxed) - 1; // BUG
    let _ = left;
    t.join().unwrap();
}
