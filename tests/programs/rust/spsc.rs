// SPDX-License-Identifier: MIT
// A ring of two places for one producer and one consumer.
// run: rc11 ok
// run: flags=--cfg flags=weak rc11 error race
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering, Ordering::*};
use std::thread;

struct Ring {
    slots: [UnsafeCell<u32>; 2],
    head: AtomicUsize,
    tail: AtomicUsize,
}
unsafe impl Sync for Ring {}
static RING: Ring = Ring {
    slots: [UnsafeCell::new(0), UnsafeCell::new(0)],
    head: AtomicUsize::new(0),
    tail: AtomicUsize::new(0),
};
const PUT: Ordering = if cfg!(weak) { Relaxed } else { Release };

fn push(value: u32) -> bool {
    let tail = RING.tail.load(Relaxed);
    if tail - RING.head.load(Acquire) == 2 {
        return false;
    }
    unsafe { *RING.slots[tail % 2].get() = value };
    RING.tail.store(tail + 1, PUT);
    true
}

fn pop() -> Option<u32> {
    let head = RING.head.load(Relaxed);
    if RING.tail.load(Acquire) == head {
        return None;
    }
    let value = unsafe { *RING.slots[head % 2].get() };
    RING.head.store(head + 1, Release);
    Some(value)
}

fn main() {
    let t = thread::spawn(|| {
        assert!(push(1));
        assert!(push(2));
    });
    let first = pop();
    assert!(first.is_none() || first == Some(1));
    t.join().unwrap();
}
