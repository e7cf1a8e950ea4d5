// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import io.github.rlsm.kv.KvException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program behind {@code ./rlsm}. An error of the store is printed without a stack trace,
 * because its message has the cause and the remedy.
 */
@Command(
    name = "rlsm",
    description = "Maintains stores that no process has open, and log devices.",
    mixinStandardHelpOptions = true,
    subcommands = {ReshardCommand.class, LogDeviceCommand.class, VerifyCommand.class},
    footer = "Exit codes: 0 success, 1 refused or failed, 2 wrong arguments.")
public final class RlsmMain {

  private RlsmMain() {}

  /** Runs the command that the arguments name, then exits. */
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
