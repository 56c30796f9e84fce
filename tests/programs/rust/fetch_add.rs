// SPDX-License-Identifier: MIT
// Two updates of a counter.
// expect: sc,rc11 ok
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);

fn main() {
    let t = thread::spawn(|| {
        X.fetch_add(1, Relaxed);
    });
    X.fetch_add(1, Relaxed);
    t.join().unwrap();
    assert_eq!(X.load(Relaxed), 2);
}
