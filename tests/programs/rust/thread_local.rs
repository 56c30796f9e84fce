// SPDX-License-Identifier: MIT
// Each thread has its own.
// expect: rc11 ok
use std::cell::Cell;
use std::thread;

thread_local! {
    static OWN: Cell<u32> = const { Cell::new(1) };
}

fn bump() -> u32 {
    OWN.with(|own| {
        own.set(own.get() + 1);
        own.get()
    })
}

fn main() {
    let t = thread::spawn(bump);
    assert_eq!(bump(), 2);
    assert_eq!(t.join().unwrap(), 2);
    assert_eq!(bump(), 3);
}
