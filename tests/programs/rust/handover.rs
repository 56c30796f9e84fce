// SPDX-License-Identifier: MIT
// A Vec goes to a thread, and what it makes of it comes back.
// expect: rc11 ok
use std::thread;

fn main() {
    let all = vec![1, 2, 3];
    let sum = thread::spawn(move || all.iter().sum::<u32>()).join().unwrap();
    assert_eq!(sum, 6);
}
