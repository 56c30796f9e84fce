// SPDX-License-Identifier: MIT
// Two increments that are no updates: one can be lost.
// expect: rc11 error panic
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);

fn add() {
    X.store(X.load(SeqCst) + 1, SeqCst);
}

fn main() {
    let t = thread::spawn(add);
    add();
    t.join().unwrap();
    assert_eq!(X.load(SeqCst), 2); // BUG
}
