// SPDX-License-Identifier: MIT
// What was written before a Barrier is seen behind it.
// expect: rc11 ok
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::sync::Barrier;
use std::thread;

static MET: Barrier = Barrier::new(2);
static X: AtomicU32 = AtomicU32::new(0);

fn main() {
    let t = thread::spawn(|| {
        X.store(1, Relaxed);
        MET.wait();
    });
    MET.wait();
    assert_eq!(X.load(Relaxed), 1);
    t.join().unwrap();
}
