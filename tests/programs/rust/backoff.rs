// SPDX-License-Identifier: MIT
// Waits longer from round to round, up to a limit. The first five rounds make
// the steps 1 to 5, the others nothing, so all that comes later is one round
// that waits: the flag is up at first sight, or after one to five rounds.
// run: args=--max-events=2000 rc11 ok 6
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Backoff {
    step: Cell<u32>,
}

impl Backoff {
    fn snooze(&self) {
        for _ in 0..1 << self.step.get().min(2) {
            std::hint::spin_loop();
        }
        thread::yield_now();
        if self.step.get() <= 4 {
            self.step.set(self.step.get() + 1);
        }
    }
}

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let t = thread::spawn(|| READY.store(true, Ordering::Release));
    let backoff = Backoff { step: Cell::new(0) };
    while !READY.load(Ordering::Acquire) {
        backoff.snooze();
    }
    t.join().unwrap();
}
