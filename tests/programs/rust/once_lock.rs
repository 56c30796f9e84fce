// SPDX-License-Identifier: MIT
// Two threads ask for what is made once.
// expect: rc11 ok
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::sync::OnceLock;
use std::thread;

static MADE: AtomicU32 = AtomicU32::new(0);
static CELL: OnceLock<u32> = OnceLock::new();

fn get() -> u32 {
    *CELL.get_or_init(|| MADE.fetch_add(1, Relaxed) + 5)
}

fn main() {
    let t = thread::spawn(get);
    assert_eq!(get(), 5);
    assert_eq!(t.join().unwrap(), 5);
}
