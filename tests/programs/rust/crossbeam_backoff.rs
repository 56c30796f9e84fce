// SPDX-License-Identifier: MIT
// A back-off by the names of the crate crossbeam counts the rounds for nobody
// unless it is asked whether it is completed: the thread sees the flag, or waits
// until it does. Asked, it sees it after no, one, two or three rounds, or gives
// up. (Counts are without the weak compare-exchange of std's own that numbers
// threads: std has clocks, so its failures are explored, loops/weak_cas.c.)
// run: args=--weak-cas args=strong rc11 ok 1
// run: args=--weak-cas args=strong flags=--cfg=asked rc11 ok 5
// run: flags=--cfg=asked flags=--cfg=wrong rc11 error panic
use crossbeam_utils::backoff::Backoff;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

mod crossbeam_utils {
    pub mod backoff {
        use std::cell::Cell;

        pub struct Backoff {
            step: Cell<u32>,
        }

        impl Backoff {
            pub fn new() -> Self {
                Backoff { step: Cell::new(0) }
            }

            pub fn snooze(&self) {
                for _ in 0..1 << self.step.get().min(2) {
                    std::hint::spin_loop();
                }
                if self.step.get() <= 2 {
                    self.step.set(self.step.get() + 1);
                }
            }

            #[cfg(asked)]
            pub fn is_completed(&self) -> bool {
                self.step.get() > 2
            }
        }
    }
}

static READY: AtomicBool = AtomicBool::new(false);

#[cfg(asked)]
fn is_over(backoff: &Backoff) -> bool {
    assert!(!cfg!(wrong) || !backoff.is_completed());
    backoff.is_completed()
}

#[cfg(not(asked))]
fn is_over(_: &Backoff) -> bool {
    false
}

fn main() {
    let t = thread::spawn(|| READY.store(true, Ordering::Release));
    let backoff = Backoff::new();
    while !READY.load(Ordering::Acquire) && !is_over(&backoff) {
        backoff.snooze();
    }
    t.join().unwrap();
}
