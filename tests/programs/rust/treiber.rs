// SPDX-License-Identifier: MIT
// A stack of nodes that are never freed; a push that publishes too early.
// run: rc11 ok
// run: flags=--cfg flags=weak rc11 error race
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering, Ordering::*};
use std::thread;

struct Node {
    value: u32,
    next: *mut Node,
}
static TOP: AtomicPtr<Node> = AtomicPtr::new(null_mut());
const PUT: Ordering = if cfg!(weak) { Relaxed } else { Release };

fn push(value: u32) {
    let node = Box::into_raw(Box::new(Node { value, next: null_mut() }));
    loop {
        let top = TOP.load(Relaxed);
        unsafe { (*node).next = top };
        if TOP.compare_exchange(top, node, PUT, Relaxed).is_ok() {
            return;
        }
    }
}

fn main() {
    let t = thread::spawn(|| push(1));
    push(2);
    let top = TOP.load(Acquire);
    let seen = unsafe { (*top).value };
    assert!(seen == 1 || seen == 2);
    t.join().unwrap();
}
