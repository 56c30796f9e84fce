// SPDX-License-Identifier: MIT
// Store buffering: any result is right.
// run: rc11 ok
// run: flags=--cfg flags=strong rc11 ok
// run: sc ok
use std::sync::atomic::{AtomicUsize, Ordering, Ordering::*};
use std::thread;

static X: AtomicUsize = AtomicUsize::new(0);
static Y: AtomicUsize = AtomicUsize::new(0);
const PUT: Ordering = if cfg!(strong) { SeqCst } else { Release };
const GET: Ordering = if cfg!(strong) { SeqCst } else { Acquire };

fn main() {
    let other = thread::spawn(|| {
        X.store(1, PUT);
        Y.load(GET)
    });
    Y.store(1, PUT);
    let mine = X.load(GET);
    let _ = (mine, other.join().unwrap());
}
