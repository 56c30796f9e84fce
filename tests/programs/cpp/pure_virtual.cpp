// SPDX-License-Identifier: MIT
// A virtual function that is called before the object has it.
// expect: sc,rc11 error bad-call
struct Base {
  Base() {
    call();
  }
  void call() {
    hook(); // BUG
  }
  virtual void hook() = 0;
  virtual ~Base() = default;
};
struct Derived : Base {
  void hook() override {
  }
};

int main() {
  Derived d;
}
