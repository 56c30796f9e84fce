// SPDX-License-Identifier: MIT
// A thread waits at a Condvar until another has set a flag under its Mutex; who
// does not take the lock for that may set it between look and sleep.
// run: rc11 ok
// run: flags=--cfg flags=careless rc11 error deadlock
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let pair = Arc::new((Mutex::new(()), Condvar::new(), AtomicBool::new(false)));
    let other = Arc::clone(&pair);
    let t = thread::spawn(move || {
        let (lock, changed, ready) = &*other;
        if cfg!(careless) {
            ready.store(true, SeqCst);
        } else {
            let _held = lock.lock().unwrap();
            ready.store(true, Relaxed);
        }
        changed.notify_one();
    });
    let (lock, changed, ready) = &*pair;
    let mut held = lock.lock().unwrap();
    while !ready.load(Relaxed) {
        held = changed.wait(held).unwrap();
    }
    drop(held);
    t.join().unwrap();
}
