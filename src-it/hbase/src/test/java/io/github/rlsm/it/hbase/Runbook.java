// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The blocks of commands of docs/hbase.md, in the order of the page.
 *
 * <p>Threads: any.
 */
final class Runbook {

  private static final String FENCE = "```";
  private static final String HEADING = "## ";

  private Runbook() {}

  /**
   * A block of commands.
   *
   * @param section the heading above it
   * @param language {@code bash}, or {@code ruby} for lines of the HBase shell
   * @param text its lines
   */
  record Block(String section, String language, String text) {}

  /** Reads the page of the repository that this module is part of. */
  static List<Block> read() throws IOException {
    // Maven runs the tests in the folder of the module.
    return parse(Files.readAllLines(Path.of("../../docs/hbase.md")));
  }

  private static List<Block> parse(List<String> page) {
    List<Block> blocks = new ArrayList<>();
    String section = "";
    String language = null;
    List<String> lines = new ArrayList<>();
    for (String line : page) {
      boolean fence = line.strip().startsWith(FENCE);
      if (fence && language == null) {
        language = line.strip().substring(FENCE.length());
      } else if (fence) {
        blocks.add(new Block(section, language, String.join("\n", lines)));
        language = null;
        lines.clear();
      } else if (language != null) {
        lines.add(line.strip());
      } else if (line.startsWith(HEADING)) {
        section = line.substring(HEADING.length());
      }
    }
    return blocks;
  }
}
