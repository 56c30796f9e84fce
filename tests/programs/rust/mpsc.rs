// SPDX-License-Identifier: MIT
// A channel hands a value over, with what was written before it was sent.
// expect: rc11 ok
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::sync::mpsc;
use std::thread;

static BEFORE: AtomicU32 = AtomicU32::new(0);

fn main() {
    let (send, receive) = mpsc::channel();
    let t = thread::spawn(move || {
        BEFORE.store(1, Relaxed);
        send.send(5).unwrap();
    });
    assert_eq!(receive.recv(), Ok(5));
    assert_eq!(BEFORE.load(Relaxed), 1);
    t.join().unwrap();
}
