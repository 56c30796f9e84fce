// SPDX-License-Identifier: MIT
// park waits for a token, so an unpark that comes first is not lost.
// run: rc11 ok
// run: flags=--cfg flags=forget rc11 error deadlock
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::thread;

static FLAG: AtomicBool = AtomicBool::new(false);

fn main() {
    let t = thread::spawn(|| {
        while !FLAG.load(Acquire) {
            thread::park();
        }
    });
    FLAG.store(true, Release);
    if !cfg!(forget) {
        t.thread().unpark();
    }
    t.join().unwrap();
}
