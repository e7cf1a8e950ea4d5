// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A history as text. It contains every argument of every operation and every option of the store,
 * so that it replays in the same way after a change of the random generators.
 *
 * <p>The first line is {@code open} with a text of {@link StoreFactory#opening}. Each further line
 * is an operation. Lines that begin with {@code #} are comments.
 *
 * @param opening how the store is first opened
 * @param operations the operations, in their order
 * @param keys all keys, for the comparison at the end
 */
public record KeptHistory(String opening, List<Op> operations, List<byte[]> keys) {

  private static final String OPEN = "open ";

  /**
   * Reads a history.
   *
   * @param mix has the engine operations that the history may contain
   * @throws IllegalArgumentException if a line is not an operation
   */
  public static KeptHistory parse(String text, OpMix mix) {
    List<String> lines = text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
    if (lines.isEmpty() || !lines.get(0).startsWith(OPEN)) {
      throw new IllegalArgumentException("a history must begin with: " + OPEN);
    }
    OpParser parser = new OpParser(mix);
    List<Op> operations = lines.stream().skip(1).map(parser::parse).toList();
    return new KeptHistory(lines.get(0).substring(OPEN.length()), operations, parser.keys());
  }

  /** Returns the text, with a comment at its beginning. */
  String text(String comment) {
    String first = comment.lines().map(line -> "# " + line + "\n").collect(Collectors.joining());
    String rest = operations.stream().map(op -> op + "\n").collect(Collectors.joining());
    return first + OPEN + opening + "\n" + rest;
  }

  /**
   * Runs the history on a fresh store and on a model.
   *
   * @param directory the directory of the store; does not exist yet
   * @throws AssertionError if the store disagrees with the model
   */
  public void replay(StoreFactory factory, Path directory) {
    ModelRun.Failure failure = new ModelRun(factory, directory, operations, keys, opening).run();
    if (failure != null) {
      throw new AssertionError(
          "the store disagrees with the model at operation " + failure.at() + " of "
              + operations.size() + "\n" + failure.cause(),
          failure.cause());
    }
  }
}
