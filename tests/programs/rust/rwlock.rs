// SPDX-License-Identifier: MIT
// A reader sees both words of a writer or none.
// expect: rc11 ok
use std::sync::RwLock;
use std::thread;

static PAIR: RwLock<(u32, u32)> = RwLock::new((0, 0));

fn main() {
    let t = thread::spawn(|| {
        let mut p = PAIR.write().unwrap();
        p.0 = 1;
        p.1 = 1;
    });
    let p = *PAIR.read().unwrap();
    assert_eq!(p.0, p.1);
    t.join().unwrap();
}
