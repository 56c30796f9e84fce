// SPDX-License-Identifier: MIT
// Two locks, taken in two orders.
// run: rc11 error deadlock
// run: flags=--cfg flags=ordered rc11 ok
use std::sync::Mutex;
use std::thread;

static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);

fn main() {
    let t = thread::spawn(|| {
        let a = A.lock().unwrap();
        let b = B.lock().unwrap();
        drop((a, b));
    });
    if cfg!(ordered) {
        let a = A.lock().unwrap();
        let b = B.lock().unwrap();
        drop((a, b));
    } else {
        let b = B.lock().unwrap();
        let a = A.lock().unwrap();
        drop((a, b));
    }
    t.join().unwrap();
}
