// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file in {@code /proc} with lines such as {@code VmRSS: 1234 kB}. */
final class ProcFile {

  private final Path path;

  ProcFile(String path) {
    this.path = Path.of(path);
  }

  /** Whether this system has the file. */
  boolean exists() {
    return Files.isReadable(path);
  }

  /** Reads the current content. */
  String read() {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The number in the line with that name; -1 if there is no such line. */
  static long number(String content, String name) {
    int line = content.startsWith(name + ":") ? 0 : content.indexOf("\n" + name + ":") + 1;
    if (line == 0 && !content.startsWith(name + ":")) {
      return -1;
    }
    int at = line + name.length() + 1;
    while (at < content.length() && !Character.isDigit(content.charAt(at))) {
      at++;
    }
    long number = 0;
    for (; at < content.length() && Character.isDigit(content.charAt(at)); at++) {
      number = 10 * number + (content.charAt(at) - '0');
    }
    return number;
  }

  /** Like {@link #number} for a line in kibibytes; the result is in bytes. */
  static long kibibytes(String content, String name) {
    long number = number(content, name);
    return number < 0 ? -1 : number << 10;
  }
}
