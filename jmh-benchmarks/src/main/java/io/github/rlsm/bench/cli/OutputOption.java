// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option for the results directory, and the command line as typed. */
public final class OutputOption {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss", Locale.ROOT);

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "directory for results (default: a new one; the last line of output names it)")
  private @Nullable Path out;

  /** Creates the directory if necessary; it is below {@code parent} unless the user named one. */
  public Path directory(Path parent) throws IOException {
    Path directory =
        out == null ? parent.resolve(STAMP.format(LocalDateTime.now(ZoneOffset.UTC))) : out;
    return Files.createDirectories(directory);
  }

  /** Creates the directory if necessary: the named one, otherwise {@code usual}. */
  Path directoryOr(Path usual) throws IOException {
    return Files.createDirectories(out == null ? usual : out);
  }

  /** The directory for results that are not kept in the repository. */
  public Path directory() throws IOException {
    return directory(Path.of("jmh-benchmarks", "target", "bench"));
  }

  /** The command line, as typed. */
  public String command() {
    return spec == null
        ? "./bench"
        : "./bench "
            + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }

  /** The command line of a command of another module, which {@code ./bench} runs by its name. */
  public String commandOf(String name) {
    return command().replaceFirst("bench", "bench " + name);
  }

  /**
   * Checks that runs can be added to the recorded ones.
   *
   * @param raw the file of the recorded runs
   * @param difference why the runs cannot be compared; empty if they can
   */
  public void checkContinues(Path raw, Optional<String> difference) {
    if (difference.isPresent()) {
      throw new ParameterException(
          Objects.requireNonNull(spec).root().commandLine(),
          raw + " has runs " + difference.get() + "; delete the file, or choose another --out");
    }
  }

  /** Writes a report into a directory, and prints it. */
  public static void publish(Path directory, String text) throws IOException {
    Path file = directory.resolve("report.md");
    Files.writeString(file, text);
    System.out.println();
    System.out.println(text);
    System.out.println("Results: " + file);
  }
}
