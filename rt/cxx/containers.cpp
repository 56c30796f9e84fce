// SPDX-License-Identifier: MIT
// What containers share: nodes of lists and trees, sizes of hash tables.
//
// The tree is red and black. The header is a node as well: its parent is the
// root, left and right are the first and the last node, and it is red, which
// tells it from the root.
#include <cmath>
#include <list>
#include <map>
#include <unordered_map>

namespace std {

// -- lists

namespace __detail {
void _List_node_base::_M_hook(_List_node_base *const next) noexcept {
  _M_next = next;
  _M_prev = next->_M_prev;
  next->_M_prev->_M_next = this;
  next->_M_prev = this;
}
void _List_node_base::_M_unhook() noexcept {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}
// [first, last) goes before this.
void _List_node_base::_M_transfer(_List_node_base *const first,
                                  _List_node_base *const last) noexcept {
  if (this == last)
    return;
  _List_node_base *end = last->_M_prev, *before = first->_M_prev;
  before->_M_next = last;
  last->_M_prev = before;
  end->_M_next = this;
  first->_M_prev = _M_prev;
  _M_prev->_M_next = first;
  _M_prev = end;
}
void _List_node_base::_M_reverse() noexcept {
  _List_node_base *at = this;
  do {
    _List_node_base *next = at->_M_next;
    at->_M_next = at->_M_prev;
    at->_M_prev = next;
    at = next;
  } while (at != this);
}
static void adopt(_List_node_base &list, _List_node_base *first,
                  _List_node_base *last, bool is_empty) {
  list._M_next = is_empty ? &list : first;
  list._M_prev = is_empty ? &list : last;
  list._M_next->_M_prev = &list;
  list._M_prev->_M_next = &list;
}
void _List_node_base::swap(_List_node_base &x, _List_node_base &y) noexcept {
  bool is_x_empty = x._M_next == &x, is_y_empty = y._M_next == &y;
  _List_node_base *first = x._M_next, *last = x._M_prev;
  adopt(x, y._M_next, y._M_prev, is_y_empty);
  adopt(y, first, last, is_x_empty);
}
} // namespace __detail

// -- trees

typedef _Rb_tree_node_base node;

static node *next_of(node *x) {
  if (x->_M_right) {
    x = x->_M_right;
    while (x->_M_left)
      x = x->_M_left;
    return x;
  }
  node *above = x->_M_parent;
  while (x == above->_M_right) {
    x = above;
    above = above->_M_parent;
  }
  return x->_M_right == above ? x : above; // x is the header, the root alone
}

static node *previous_of(node *x) {
  if (x->_M_color == _S_red && x->_M_parent->_M_parent == x)
    return x->_M_right; // of the header
  if (x->_M_left) {
    x = x->_M_left;
    while (x->_M_right)
      x = x->_M_right;
    return x;
  }
  node *above = x->_M_parent;
  while (x == above->_M_left) {
    x = above;
    above = above->_M_parent;
  }
  return above;
}

node *_Rb_tree_increment(node *x) throw() {
  return next_of(x);
}
const node *_Rb_tree_increment(const node *x) throw() {
  return next_of(const_cast<node *>(x));
}
node *_Rb_tree_decrement(node *x) throw() {
  return previous_of(x);
}
const node *_Rb_tree_decrement(const node *x) throw() {
  return previous_of(const_cast<node *>(x));
}

// `y` takes the place of `x` below the parent of x.
static void replace(node *x, node *y, node &header) {
  node *above = x->_M_parent;
  if (above == &header)
    header._M_parent = y;
  else if (above->_M_left == x)
    above->_M_left = y;
  else
    above->_M_right = y;
  if (y)
    y->_M_parent = above;
}

// The child on the other side goes up, x down to `side` (true: left).
static void rotate(node *x, bool to_left, node &header) {
  node *up = to_left ? x->_M_right : x->_M_left;
  node *between = to_left ? up->_M_left : up->_M_right;
  replace(x, up, header);
  (to_left ? x->_M_right : x->_M_left) = between;
  if (between)
    between->_M_parent = x;
  (to_left ? up->_M_left : up->_M_right) = x;
  x->_M_parent = up;
}

static bool is_red(const node *x) {
  return x && x->_M_color == _S_red;
}

static void link(bool left, node *x, node *above, node &header) {
  x->_M_parent = above;
  x->_M_left = x->_M_right = nullptr;
  x->_M_color = _S_red;
  if (above == &header) {
    header._M_parent = header._M_left = header._M_right = x;
  } else if (left) {
    above->_M_left = x;
    if (header._M_left == above)
      header._M_left = x;
  } else {
    above->_M_right = x;
    if (header._M_right == above)
      header._M_right = x;
  }
}

void _Rb_tree_insert_and_rebalance(const bool left, node *x, node *above,
                                   node &header) throw() {
  link(left, x, above, header);
  while (x != header._M_parent && x->_M_parent->_M_color == _S_red) {
    node *grand = x->_M_parent->_M_parent;
    bool on_left = x->_M_parent == grand->_M_left;
    node *uncle = on_left ? grand->_M_right : grand->_M_left;
    if (is_red(uncle)) {
      x->_M_parent->_M_color = uncle->_M_color = _S_black;
      grand->_M_color = _S_red;
      x = grand;
      continue;
    }
    if (x == (on_left ? x->_M_parent->_M_right : x->_M_parent->_M_left)) {
      x = x->_M_parent;
      rotate(x, on_left, header);
    }
    x->_M_parent->_M_color = _S_black;
    grand->_M_color = _S_red;
    rotate(grand, !on_left, header);
  }
  header._M_parent->_M_color = _S_black;
}

// One black node is missing on the way to x, which may be null.
static void repair(node *x, node *above, node &header) {
  while (x != header._M_parent && !is_red(x)) {
    bool on_left = x == above->_M_left;
    node *other = on_left ? above->_M_right : above->_M_left;
    if (is_red(other)) {
      other->_M_color = _S_black;
      above->_M_color = _S_red;
      rotate(above, on_left, header);
      other = on_left ? above->_M_right : above->_M_left;
    }
    node *far = on_left ? other->_M_right : other->_M_left;
    node *near = on_left ? other->_M_left : other->_M_right;
    if (!is_red(far) && !is_red(near)) {
      other->_M_color = _S_red;
      x = above;
      above = above->_M_parent;
      continue;
    }
    if (!is_red(far)) {
      near->_M_color = _S_black;
      other->_M_color = _S_red;
      rotate(other, !on_left, header);
      other = on_left ? above->_M_right : above->_M_left;
      far = on_left ? other->_M_right : other->_M_left;
    }
    other->_M_color = above->_M_color;
    above->_M_color = _S_black;
    if (far)
      far->_M_color = _S_black;
    rotate(above, on_left, header);
    break;
  }
  if (x)
    x->_M_color = _S_black;
}

node *_Rb_tree_rebalance_for_erase(node *const z, node &header) throw() {
  if (header._M_left == z)
    header._M_left = next_of(z);
  if (header._M_right == z)
    header._M_right = previous_of(z);
  node *x, *above;
  _Rb_tree_color gone = z->_M_color;
  if (!z->_M_left || !z->_M_right) {
    x = z->_M_left ? z->_M_left : z->_M_right;
    above = z->_M_parent;
    replace(z, x, header);
  } else { // the next node takes its place
    node *y = next_of(z);
    gone = y->_M_color;
    x = y->_M_right;
    above = y->_M_parent == z ? y : y->_M_parent;
    if (y->_M_parent != z) {
      replace(y, x, header);
      y->_M_right = z->_M_right;
      y->_M_right->_M_parent = y;
    }
    replace(z, y, header);
    y->_M_left = z->_M_left;
    y->_M_left->_M_parent = y;
    y->_M_color = z->_M_color;
  }
  if (gone == _S_black && header._M_parent)
    repair(x, above, header);
  if (!header._M_parent)
    header._M_left = header._M_right = &header;
  return z;
}

// -- hash tables

static bool is_prime(size_t n) {
  for (size_t k = 2; k * k <= n; k++)
    if (n % k == 0)
      return false;
  return n > 1;
}

namespace __detail {
size_t _Prime_rehash_policy::_M_next_bkt(size_t n) const {
  while (!is_prime(n))
    n++;
  _M_next_resize =
      static_cast<size_t>(n * static_cast<double>(_M_max_load_factor));
  return n;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets,
                                                        size_t elements,
                                                        size_t more) const {
  size_t all = elements + more;
  if (all <= _M_next_resize)
    return {false, 0};
  if (!_M_next_resize && all < 11)
    all = 11; // the first size
  size_t needed =
      static_cast<size_t>(all / static_cast<double>(_M_max_load_factor));
  if (needed < buckets) {
    _M_next_resize =
        static_cast<size_t>(buckets * static_cast<double>(_M_max_load_factor));
    return {false, 0};
  }
  return {true,
          _M_next_bkt(needed + 1 > 2 * buckets ? needed + 1 : 2 * buckets)};
}
} // namespace __detail

// FNV-1a; any function would do.
size_t _Hash_bytes(const void *bytes, size_t n, size_t seed) {
  const unsigned char *at = static_cast<const unsigned char *>(bytes);
  size_t hash = 0xcbf29ce484222325 ^ seed;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ at[i]) * 0x100000001b3;
  return hash;
}
size_t _Fnv_hash_bytes(const void *bytes, size_t n, size_t seed) {
  return _Hash_bytes(bytes, n, seed);
}

} // namespace std
