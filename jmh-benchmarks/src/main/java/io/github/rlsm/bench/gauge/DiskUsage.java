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

/**
 * The room that a directory's files take on disk, which for files with holes is not their length.
 */
public final class DiskUsage {

  private DiskUsage() {}

  /**
   * Allocated bytes, as {@code du} counts them; the sum of the lengths where there is no
   * {@code du}.
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
      // No such program here: the lengths below are the next best thing.
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
