// SPDX-License-Identifier: MIT
// A scoped thread borrows.
// expect: rc11 ok
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

fn main() {
    let x = AtomicU32::new(0);
    thread::scope(|s| {
        s.spawn(|| x.fetch_add(1, Relaxed));
    });
    assert_eq!(x.load(Relaxed), 1);
}
