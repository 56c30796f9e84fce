// SPDX-License-Identifier: MIT
// The front door: the command line is read, and its command does the rest.
#include "cmd/cmd.h"

#include <signal.h>

static enum exit_code run_command(const struct options *o) {
  if (o->version)
    return cmd_version();
  if (o->help)
    return cmd_help(o);
  switch (o->command) {
  case COMMAND_CHECK:
    return cmd_check(o);
  case COMMAND_ESTIMATE:
    return cmd_estimate(o);
  case COMMAND_SPLIT:
    return cmd_split(o);
  case COMMAND_RUN:
    return cmd_run(o);
  case COMMAND_MERGE:
    return cmd_merge(o);
  case COMMAND_TEST:
    return cmd_test(o);
  case COMMAND_COMPARE:
    return cmd_compare(o);
  case COMMAND_EXPLORE:
    return cmd_explore(o);
  case COMMAND_WHY:
    return cmd_why(o);
  case COMMAND_OPTIMIZE:
    return cmd_optimize(o);
  case COMMAND_LITMUS:
    return cmd_litmus(o);
  case COMMAND_MODELS:
    return cmd_models(o);
  case COMMAND_DUMP:
    return cmd_dump(o);
  case COMMAND_LSP:
    return cmd_lsp(o);
  case COMMAND_MCP:
    return cmd_mcp(o);
  case COMMAND_DOCTOR:
    return cmd_doctor(o);
  case COMMAND_DOC:
    return cmd_doc(o);
  case COMMAND_HELP:
  case COMMAND_NONE:
    break;
  }
  return cmd_help(o);
}

int main(int argc, char **argv) {
  struct options o;
  struct diag why;
  // A file that is too large (ulimit -f) is an error of who writes it, as is a
  // full disk.
  signal(SIGXFSZ, SIG_IGN);
  if (!options_parse(argc, argv, &o, &why))
    return (int)bad_input(&why);
  enum exit_code code = run_command(&o);
  options_done(&o);
  return (int)code;
}
