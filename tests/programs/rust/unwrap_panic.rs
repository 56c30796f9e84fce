// SPDX-License-Identifier: MIT
// try_lock fails when the other thread has the lock.
// expect: rc11 error panic
use std::sync::Mutex;
use std::thread;

static A: Mutex<u32> = Mutex::new(0);

fn main() {
    let t = thread::spawn(|| *A.lock().unwrap() += 1);
    *A.try_lock().unwrap() += 1; // BUG
    t.join().unwrap();
}
