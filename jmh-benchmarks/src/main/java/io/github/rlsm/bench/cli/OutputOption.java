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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where results go, and what the command line was. */
public final class OutputOption {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss", Locale.ROOT);

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "directory for results (default: a new one, named in the last line)")
  private @Nullable Path out;

  /** The directory, made if there is none; below {@code parent} unless the user named one. */
  public Path directory(Path parent) throws IOException {
    Path directory =
        out == null ? parent.resolve(STAMP.format(LocalDateTime.now(ZoneOffset.UTC))) : out;
    return Files.createDirectories(directory);
  }

  /** As for all results that are not meant to be kept. */
  public Path directory() throws IOException {
    return directory(Path.of("jmh-benchmarks", "target", "bench"));
  }

  /** The command line as typed. */
  public String command() {
    return spec == null
        ? "./bench"
        : "./bench "
            + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }
}
