// SPDX-License-Identifier: MIT
// A guard that is forgotten never unlocks.
// expect: rc11 error deadlock
use std::sync::Mutex;
use std::thread;

static A: Mutex<u32> = Mutex::new(0);

fn main() {
    let t = thread::spawn(|| std::mem::forget(A.lock()));
    t.join().unwrap();
    let _a = A.lock();
}
