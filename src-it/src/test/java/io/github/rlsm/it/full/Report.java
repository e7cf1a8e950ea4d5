// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.full;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Writes the table of the full run into docs/reliability.md, between two marks. */
final class Report {

  private static final String BEGIN = "<!-- figures: written by ./check --full -->";
  private static final String END = "<!-- end of figures -->";

  private Report() {}

  /** The table as Markdown: a row for each campaign, the chunks of all its commits summed up. */
  static String table(List<Campaign> campaigns, List<Chunk> chunks) {
    StringBuilder table = new StringBuilder();
    table.append("| test | what | asked for | done | failures | hours | code | date | command |\n");
    table.append("|---|---|---|---|---|---|---|---|---|\n");
    for (Campaign campaign : campaigns) {
      List<Chunk> own =
          chunks.stream().filter(one -> one.campaign().equals(campaign.name())).toList();
      TreeSet<String> dates = new TreeSet<>();
      TreeSet<String> codes = new TreeSet<>();
      own.forEach(one -> {
        dates.add(one.date());
        codes.add(one.code());
      });
      table.append(String.format(
          Locale.ROOT,
          "| %s | %s | %,d | %,d | %d | %.1f | %s | %s | `./check --full --only %s` |%n",
          campaign.test(),
          campaign.what(),
          campaign.goal(),
          own.stream().mapToLong(Chunk::count).sum(),
          own.stream().mapToInt(Chunk::failures).sum(),
          own.stream().mapToLong(Chunk::seconds).sum() / 3600.0,
          String.join(", ", codes),
          dates.isEmpty() ? "" : dates.last(),
          campaign.name()));
    }
    return table.toString();
  }

  /** Replaces the figures in a document. */
  static void write(Path document, String table) throws IOException {
    String text = Files.readString(document, UTF_8);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalStateException(document + " lacks the mark for the figures: " + BEGIN);
    }
    Files.writeString(
        document, text.substring(0, begin) + BEGIN + "\n" + table + text.substring(end), UTF_8);
  }
}
