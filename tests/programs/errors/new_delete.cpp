// SPDX-License-Identifier: MIT
// Memory has to go back the way it came.
// run: flags=-DDO=delete(one) sc,rc11 ok 1
// run: flags=-DDO=delete[]many sc,rc11 ok 1
// run: flags=-DDO=std::free(block) sc,rc11 ok 1
// run: flags=-DDO=delete(wide) sc,rc11 ok 1
// run: flags=-DDO=delete[]wides sc,rc11 ok 1
// run: flags=-DDO=delete[]owners sc,rc11 ok 1
// run: flags=-DDO=::operator_delete(raw,RAW) sc,rc11 ok 1
// run: flags=-DDO=::operator_delete(quiet,std::nothrow) sc,rc11 ok 1
// run: flags=-DDO=delete(int*)nullptr sc,rc11 ok 1
// run: flags=-DDO=delete[]one sc,rc11 error invalid-free
// run: flags=-DDO=delete(many) sc,rc11 error invalid-free
// run: flags=-DDO=std::free(one) sc,rc11 error invalid-free
// run: flags=-DDO=std::free(many) sc,rc11 error invalid-free
// run: flags=-DDO=block=std::realloc(one,8) sc,rc11 error invalid-free
// run: flags=-DDO=delete(int*)block sc,rc11 error invalid-free
// run: flags=-DDO=delete[](int*)block sc,rc11 error invalid-free
// run: flags=-DDO=delete(int*)wide sc,rc11 error invalid-free
// run: flags=-DDO=delete(Wide*)one sc,rc11 error invalid-free
// run: flags=-DDO=delete(Wider*)wide sc,rc11 error invalid-free
// run: flags=-DDO=delete(long*)one sc,rc11 error invalid-free
// run: flags=-DDO=::operator_delete(raw,RAW-1) sc,rc11 error invalid-free
// run: flags=-DDO=::operator_delete(raw,std::align_val_t(32)) sc,rc11 error invalid-free
#include <cstdlib>
#include <new>

#define operator_delete operator delete

constexpr std::size_t RAW = 24;

struct alignas(64) Wide {
  int a;
};

struct alignas(128) Wider {
  int a;
};

struct Owner { // its array has a cookie with the number of elements
  int *p = nullptr;
  ~Owner() {
    delete p;
  }
};

int main() {
  int *one = new int(1), *many = new int[3];
  void *block = std::malloc(4);
  Wide *wide = new Wide, *wides = new Wide[2];
  Owner *owners = new Owner[2];
  void *raw = ::operator new(RAW);
  void *quiet = ::operator new(8, std::nothrow);
  DO; // BUG
  (void)one, (void)many, (void)block, (void)wide, (void)wides, (void)owners;
  (void)raw, (void)quiet;
}
