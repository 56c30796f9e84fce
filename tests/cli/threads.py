# SPDX-License-Identifier: MIT
"""C programs whose threads have given bodies, for the tests in this folder."""


def program(head, bodies, before="", after="", local=""):
    """Thread i has a register ri, which is observed when it ends."""
    text, n = head, len(bodies)
    for i, body in enumerate(bodies):
        text += (f"static void *run{i}(void *arg) {{ int r{i} = 0; {local} "
                 f"(void)r{i}; {body} heddle_observe(r{i}); return arg; }}\n")
    create = "".join(f"pthread_create(&ids[{i}], NULL, run{i}, NULL);"
                     for i in range(n))
    return text + f"""
int main(void) {{
  pthread_t ids[{n}];
  {before}
  {create}
  for (int i = 0; i < {n}; i++)
    pthread_join(ids[i], NULL);
  {after}
}}
"""
