// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import io.github.rlsm.LogDevice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./rlsm log-device}: makes, shows and gives up devices for the direct log. */
@Command(
    name = "log-device",
    mixinStandardHelpOptions = true,
    description = "Makes, shows and gives up devices that hold the log of a store (directLog).")
final class LogDeviceCommand {

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Command(
      name = "init",
      mixinStandardHelpOptions = true,
      description = "Makes a log device of a block device, a partition or a file. Refuses one that"
          + " is mounted or in use, and one that carries anything, unless that is named.")
  void init(
      @Parameters(paramLabel = "PATH", description = "the device, or a file") Path path,
      @Option(
              names = "--mib",
              defaultValue = "256",
              paramLabel = "N",
              description =
                  "length of a file that is not there yet, in MiB" + " (default: ${DEFAULT-VALUE})")
          int mebibytes,
      @Option(
              names = "--overwrite",
              arity = "1..*",
              paramLabel = "NAME",
              description = "what it may carry and lose, as the refusal names it")
          List<String> overwrite) {
    print(LogDevice.at(path)
        .init((long) mebibytes << 20, overwrite == null ? Set.of() : Set.copyOf(overwrite)));
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Shows what a log device says of itself.")
  void status(@Parameters(paramLabel = "PATH", description = "the log device") Path path) {
    print(LogDevice.at(path).status());
  }

  @Command(
      name = "release",
      mixinStandardHelpOptions = true,
      description = "Makes a log device no log device any more.")
  void release(
      @Parameters(paramLabel = "PATH", description = "the log device") Path path,
      @Option(
              names = "--lose-writes",
              description = "even if a store died with it, which loses what only the device has")
          boolean evenIfInUse) {
    LogDevice.at(path).release(evenIfInUse);
    out().println(path + " is no log device any more");
    out().flush();
  }

  private void print(LogDevice.Status status) {
    String store = status.storeId().isPresent()
        ? String.format(Locale.ROOT, "%016x", status.storeId().getAsLong())
        : "none";
    out().println("device  " + String.format(Locale.ROOT, "%016x", status.deviceId()));
    out().println("path    " + status.path());
    out().println("store   " + store);
    out()
        .println(
            "state   " + (status.inUse() ? "in use, or needed by a store that died" : "clean"));
    out().println("epoch   " + status.epoch());
    out().println("ring    " + status.ringBytes() + " bytes");
    out().flush();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
