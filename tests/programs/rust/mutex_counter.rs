// SPDX-License-Identifier: MIT
// Two threads add under a Mutex. An execution has at most 640 events; it had
// 1,237 when variables of the library were copied byte by byte, and addresses in
// locals counted as given away.
// run: args=--max-events=700 rc11 ok
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let sum = Arc::new(Mutex::new(0));
    let other = Arc::clone(&sum);
    let t = thread::spawn(move || *other.lock().unwrap() += 1);
    *sum.lock().unwrap() += 2;
    t.join().unwrap();
    assert_eq!(*sum.lock().unwrap(), 3);
}
