// SPDX-License-Identifier: MIT
// std::cout: what people print, and how they format it.
#include <iomanip>
#include <iostream>
#include <string>

struct Point {
  int x, y;
  friend std::ostream &operator<<(std::ostream &out, const Point &p) {
    return out << '(' << p.x << ", " << p.y << ')';
  }
};

int main() {
  std::cout << "text " << std::string("string") << ' ' << 'c' << std::endl;
  std::cout << 1 << ' ' << -2l << ' ' << 3u << ' ' << (short)-4 << ' '
            << ~0ull << ' ' << true << '\n';
  std::cout << std::hex << 255 << ' ' << -1 << std::dec << ' ' << std::setw(5)
            << 42 << '|' << std::left << std::setw(5) << 42 << '|'
            << std::setfill('.') << std::right << std::setw(6) << "ab" << '\n';
  std::cout << 3.25 << ' ' << 1e10 << ' ' << std::fixed << std::setprecision(2)
            << 2.0 / 3 << ' ' << std::boolalpha << false << '\n';
  std::cout << Point{1, -1} << std::flush << '\n';
  std::cerr << "";
  return 0;
}
