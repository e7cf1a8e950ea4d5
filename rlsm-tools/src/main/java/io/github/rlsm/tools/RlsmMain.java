// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import io.github.rlsm.kv.KvException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The commands by name. A store's own error is shown as it is, without a stack trace: it says what
 * is wrong and what to do.
 */
@Command(
    name = "rlsm",
    description = "Works on stores that nobody has open, and on what they need.",
    mixinStandardHelpOptions = true,
    subcommands = {ReshardCommand.class, LogDeviceCommand.class, VerifyCommand.class},
    footer = "Exit codes: 0 done, 1 refused or failed, 2 wrong arguments.")
public final class RlsmMain {

  private RlsmMain() {}

  /** Runs the command that the arguments name and exits. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The whole command line, for {@link #main} and for tests. */
  static CommandLine commandLine() {
    return new CommandLine(new RlsmMain()).setExecutionExceptionHandler((e, command, parsed) -> {
      if (!(e instanceof KvException)) {
        throw e;
      }
      command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + e.getMessage());
      return command.getCommandSpec().exitCodeOnExecutionException();
    });
  }
}
