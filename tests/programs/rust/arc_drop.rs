// SPDX-License-Identifier: MIT
// The last of two owners drops, once.
// expect: rc11 ok
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::sync::Arc;
use std::thread;

static DROPPED: AtomicU32 = AtomicU32::new(0);
struct Loud;
impl Drop for Loud {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Relaxed);
    }
}

fn main() {
    let a = Arc::new(Loud);
    let b = Arc::clone(&a);
    let t = thread::spawn(move || drop(b));
    drop(a);
    t.join().unwrap();
    assert_eq!(DROPPED.load(Relaxed), 1);
}
