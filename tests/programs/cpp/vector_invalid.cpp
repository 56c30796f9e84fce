// SPDX-License-Identifier: MIT
// push_back moves the elements: a reference to one of them is not valid any
// more. Heddle shows the line of the program, not of the header.
// expect: sc,rc11 error use-after-free
#include <vector>

int main() {
  std::vector<int> v{1};
  int &first = v[0];
  v.push_back(2);
  return first; // BUG
}
