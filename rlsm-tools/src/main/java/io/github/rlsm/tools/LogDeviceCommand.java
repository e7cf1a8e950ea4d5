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

/** {@code ./rlsm log-device}: initializes, shows and releases devices for the direct log. */
@Command(
    name = "log-device",
    mixinStandardHelpOptions = true,
    description = "Initializes, shows and releases log devices (option directLog).")
final class LogDeviceCommand {

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Command(
      name = "init",
      mixinStandardHelpOptions = true,
      description = "Initializes a block device, a partition or a file as a log device. Refuses a"
          + " device that is mounted or in use, and a device with content that --overwrite does"
          + " not name.")
  void init(
      @Parameters(paramLabel = "PATH", description = "the device, or a file") Path path,
      @Option(
              names = "--mib",
              defaultValue = "256",
              paramLabel = "N",
              description = "length of a new file, in MiB (default: ${DEFAULT-VALUE})")
          int mebibytes,
      @Option(
              names = "--overwrite",
              arity = "1..*",
              paramLabel = "NAME",
              description = "content to overwrite, by the name in the refusal")
          List<String> overwrite) {
    print(LogDevice.at(path)
        .init((long) mebibytes << 20, overwrite == null ? Set.of() : Set.copyOf(overwrite)));
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Shows the state of a log device.")
  void status(@Parameters(paramLabel = "PATH", description = "the log device") Path path) {
    print(LogDevice.at(path).status());
  }

  @Command(
      name = "release",
      mixinStandardHelpOptions = true,
      description = "Releases a log device: erases its superblocks.")
  void release(
      @Parameters(paramLabel = "PATH", description = "the log device") Path path,
      @Option(
              names = "--lose-writes",
              description = "release it even if a crashed store still needs its writes; loses them")
          boolean evenIfInUse) {
    LogDevice.at(path).release(evenIfInUse);
    out().println(path + " is released and no longer a log device");
    out().flush();
  }

  private void print(LogDevice.Status status) {
    String store = status.storeId().isPresent()
        ? String.format(Locale.ROOT, "%016x", status.storeId().getAsLong())
        : "none";
    out().println("device  " + String.format(Locale.ROOT, "%016x", status.deviceId()));
    out().println("path    " + status.path());
    out().println("store   " + store);
    out().println("state   " + (status.inUse() ? "in use, or needed by a crashed store" : "clean"));
    out().println("epoch   " + status.epoch());
    out().println("ring    " + status.ringBytes() + " bytes");
    out().flush();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
