// SPDX-License-Identifier: MIT
// An index that the other thread moves: a panic in one of the results.
// expect: rc11 error panic
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread;

static AT: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let t = thread::spawn(|| AT.store(3, Relaxed));
    let all = [1, 2, 3];
    let seen = all[AT.load(Relaxed)]; // BUG
    assert!(seen == 1);
    t.join().unwrap();
}
