// SPDX-License-Identifier: MIT
// delete through a base without virtual destructor frees with the wrong size.
// expect: sc,rc11 error invalid-free
// flags: -Wno-delete-non-virtual-dtor
struct Base {
  int a;
};
struct Derived : Base {
  long b[4];
};

int main() {
  Base *p = new Derived;
  delete p; // BUG
}
