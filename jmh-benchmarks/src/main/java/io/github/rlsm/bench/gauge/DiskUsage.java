// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Measures the disk usage of a directory. A file with holes uses less than its length. */
public final class DiskUsage {

  private DiskUsage() {}

  /**
   * Allocated bytes, as {@code du} counts them. Without {@code du}, the sum of the file lengths.
   */
  public static long of(Path directory) {
    try {
      Process du = new ProcessBuilder("du", "-s", "-B1", directory.toString())
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      String output = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!output.isEmpty()) {
        return Long.parseLong(output.substring(0, output.indexOf('\t')));
      }
    } catch (IOException e) {
      // No du on this system: use the lengths.
      return lengths(directory);
    }
    return lengths(directory);
  }

  private static long lengths(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(DiskUsage::length).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long length(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
