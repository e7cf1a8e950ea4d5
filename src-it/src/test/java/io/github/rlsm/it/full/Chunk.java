// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.full;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of one chunk of a campaign: a line of {@code chunks.tsv}.
 *
 * @param campaign the campaign's name
 * @param code the last commit that changed the engine when the chunk ran
 * @param date end date, as year-month-day
 * @param seed random seed of the chunk
 * @param count number of units that the tests reported
 * @param failures number of failed test methods
 * @param seconds duration
 */
record Chunk(
    String campaign, String code, String date, long seed, long count, int failures, long seconds) {

  private static final String HEAD = "campaign\tcode\tdate\tseed\tcount\tfailures\tseconds";

  private String line() {
    return String.join(
        "\t",
        campaign,
        code,
        date,
        Long.toString(seed),
        Long.toString(count),
        Integer.toString(failures),
        Long.toString(seconds));
  }

  private static Chunk parse(String line) {
    String[] fields = line.split("\t", -1);
    return new Chunk(
        fields[0],
        fields[1],
        fields[2],
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]),
        Integer.parseInt(fields[5]),
        Long.parseLong(fields[6]));
  }

  /** Reads all chunks. A missing file has no chunks. */
  static List<Chunk> readAll(Path file) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    if (Files.exists(file)) {
      Files.readAllLines(file, UTF_8).stream().skip(1).map(Chunk::parse).forEach(chunks::add);
    }
    return chunks;
  }

  /** Adds this chunk at the end of the file. */
  void append(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    String head = Files.exists(file) ? "" : HEAD + "\n";
    Files.writeString(
        file, head + line() + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
