// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import io.github.rlsm.kv.Ops.Change;
import io.github.rlsm.kv.Ops.Condition;
import io.github.rlsm.kv.Ops.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads operations from the lines of text that they have in reports.
 *
 * <p>Threads: one thread at a time.
 */
final class OpParser {

  private static final String AGAIN = " and open again, ";

  private final OpMix mix;
  private final List<byte[]> keys = new ArrayList<>();

  /** The words of the line that are not read yet. */
  private Deque<String> words = new ArrayDeque<>();

  /** Creates a parser for histories with the engine operations of a mix. */
  OpParser(OpMix mix) {
    this.mix = mix;
  }

  /** All keys that were read so far. The list grows with each parsed operation. */
  List<byte[]> keys() {
    return keys;
  }

  /**
   * Returns the operation of a line.
   *
   * @throws IllegalArgumentException if the line is not an operation
   */
  Op parse(String line) {
    for (OpMix.EngineOperation own : mix.engineOperations()) {
      if (own.name().equals(line)) {
        return Ops.ofEngine(own);
      }
    }
    int again = line.indexOf(AGAIN);
    if (again >= 0) {
      return reopening(line.substring(0, again), line.substring(again + AGAIN.length()));
    }
    words = new ArrayDeque<>(Arrays.asList(line.split(" ")));
    Op op = operation();
    if (!op.line().equals(line)) {
      throw new IllegalArgumentException("not an operation: " + line + "; read as " + op);
    }
    return op;
  }

  private static Op reopening(String how, String opening) {
    return how.equals("close")
        ? Ops.reopen(opening)
        : Ops.crash(StoreFactory.Crash.valueOf(how), opening);
  }

  private Op operation() {
    String verb = words.remove();
    return switch (verb) {
      case "put" -> words.remove().equals("if") ? putIfAbsent() : put();
      case "delete" -> Ops.delete(keyspaceAfter(1), key(), durability());
      case "write" -> batch();
      case "compare-and-set" ->
        Ops.compareAndSet(keyspaceAfter(1), key(), condition(), durability());
      case "get" -> Ops.get(sourceAfter(1), key());
      case "multi-get" -> Ops.multiGet(sourceAfter(1), restAsKeys());
      case "scan" -> Ops.scan(sourceAfter(0), scanOptions());
      case "open", "close" -> handle(verb.equals("open"));
      case "move" -> Ops.moveIterator(numberAfter(1), numberAfter(1));
      case "flush" -> Ops.flush();
      case "sync" -> Ops.sync();
      case "make" -> Ops.makeKeyspace(keyspaceAfter(1));
      case "drop" -> Ops.dropKeyspace(keyspaceAfter(1));
      default -> Ops.check(keys);
    };
  }

  private Op put() {
    Change change = change();
    Durability durability = durability();
    return Ops.put(change, durability, words.isEmpty() ? null : BufferForm.valueOf(wordAfter(1)));
  }

  private Op putIfAbsent() {
    skip(2);
    return Ops.putIfAbsent(change(), durability());
  }

  private Op batch() {
    skip(1);
    Durability durability = durability();
    List<Change> changes = new ArrayList<>();
    while (!words.isEmpty()) {
      changes.add(change());
    }
    return Ops.batch(changes, durability);
  }

  private Op handle(boolean open) {
    boolean snapshot = words.remove().equals("snapshot");
    int number = numberAfter(0);
    if (snapshot) {
      return open ? Ops.openSnapshot(number) : Ops.closeSnapshot(number);
    }
    return open
        ? Ops.openIterator(number, sourceAfter(1), scanOptions())
        : Ops.closeIterator(number);
  }

  private void skip(int count) {
    for (int i = 0; i < count; i++) {
      words.remove();
    }
  }

  private String wordAfter(int skipped) {
    skip(skipped);
    return words.remove();
  }

  private int numberAfter(int skipped) {
    return Integer.parseInt(wordAfter(skipped));
  }

  private String keyspaceAfter(int skipped) {
    String quoted = wordAfter(skipped);
    return quoted.substring(1, quoted.length() - 1);
  }

  private Source sourceAfter(int skipped) {
    String keyspace = keyspaceAfter(skipped);
    return new Source(keyspace, "in".equals(words.peek()) ? numberAfter(2) : Ops.LIVE);
  }

  private Durability durability() {
    return Durability.valueOf(words.remove());
  }

  private byte[] key() {
    byte[] key = Objects.requireNonNull(bytes(words.remove()));
    keys.add(key);
    return key;
  }

  private List<byte[]> restAsKeys() {
    List<byte[]> rest = new ArrayList<>();
    while (!words.isEmpty()) {
      rest.add(key());
    }
    return rest;
  }

  private static byte @Nullable [] bytes(String text) {
    return TestBytes.parse(text);
  }

  private Change change() {
    return new Change(keyspaceAfter(0), key(), bytes(wordAfter(1)));
  }

  private Condition condition() {
    String expected = wordAfter(1);
    boolean isCurrent = expected.equals("current");
    return new Condition(isCurrent, isCurrent ? null : bytes(expected), bytes(wordAfter(1)));
  }

  private ScanOptions scanOptions() {
    ScanOptions.Builder builder = ScanOptions.builder();
    while (!words.isEmpty()) {
      String word = words.remove();
      String value = word.substring(word.indexOf('=') + 1);
      switch (word.substring(0, word.length() - value.length())) {
        case "from=" -> builder.from(Objects.requireNonNull(bytes(value)));
        case "to=" -> builder.to(Objects.requireNonNull(bytes(value)));
        case "limit=" -> builder.limit(Long.parseLong(value));
        default -> {
          if (word.equals("reverse")) {
            builder.reverse();
          } else {
            builder.keysOnly();
          }
        }
      }
    }
    return builder.build();
  }
}
