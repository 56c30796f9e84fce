// SPDX-License-Identifier: MIT
// Texts from the checked program (names, strings, paths) inside of other
// languages. Whatever they hold, they come out as text and as valid UTF-8: a
// byte that does not fit becomes U+FFFD.
#pragma once

#include "base/str.h"

// How many bytes the UTF-8 sequence at `p` has; 0 when it is not valid.
unsigned utf8_length(const char *p);

// For JSON, with the quotes. Everything that could end a <script> in HTML is
// escaped too.
void escape_json(const char *text, struct str *out);
// For text and attributes of XML and HTML. Control characters, which XML cannot
// have, become U+FFFD.
void escape_xml(const char *text, struct str *out);
// For Graphviz, with the quotes; nothing in it is an escape of a label.
void escape_dot(const char *text, struct str *out);
// For the path of a URI: what is no letter, digit or one of "/._~-" becomes
// %XX.
void escape_uri(const char *path, struct str *out);
