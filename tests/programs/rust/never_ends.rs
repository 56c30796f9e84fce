// SPDX-License-Identifier: MIT
// A wait for what nobody does.
// expect: rc11 error hang
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::thread;

static FLAG: AtomicBool = AtomicBool::new(false);

fn main() {
    let t = thread::spawn(|| while !FLAG.load(Acquire) {});
    t.join().unwrap();
}
