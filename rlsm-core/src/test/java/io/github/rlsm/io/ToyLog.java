// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A toy store: a growing list of numbers. It is correct without bugs, and fails in a known way for
 * each bug. It tests that crash tests on a {@link SimulatedDirectory} find such bugs.
 */
final class ToyLog implements AutoCloseable {

  /** The possible bugs. */
  enum Bug {
    /** Acknowledges unforced records. */
    ACKNOWLEDGES_BEFORE_FORCE,
    /** Does not force the directory after the rename of the log. */
    FORGETS_THE_DIRECTORY,
    /** Renames a log before its bytes are safe. */
    RENAMES_BEFORE_FORCE,
    /** Accepts a record because it is long enough. */
    TRUSTS_LENGTH,
    /** Appends behind a torn tail instead of rewriting the log. */
    APPENDS_TO_TORN_TAIL
  }

  private static final String NAME = "log";
  private static final String TEMPORARY = "log.tmp";
  private static final int RECORD_BYTES = 12;

  private final SimulatedDirectory directory;
  private final Set<Bug> bugs;
  private final List<Long> numbers = new ArrayList<>();
  private final AppendFile log;

  ToyLog(SimulatedDirectory directory, Set<Bug> bugs) {
    this.directory = directory;
    this.bugs = bugs;
    boolean found = directory.exists(NAME);
    if (found) {
      readWhole();
    }
    this.log =
        found && bugs.contains(Bug.APPENDS_TO_TORN_TAIL) ? directory.openAppend(NAME) : rewritten();
  }

  /** The number of elements in the list. */
  long count() {
    return numbers.size();
  }

  /** Adds the next number. The number is durable when this method returns. */
  void add() {
    long number = numbers.size();
    log.append(record(number));
    if (!bugs.contains(Bug.ACKNOWLEDGES_BEFORE_FORCE)) {
      log.force();
    }
    numbers.add(number);
  }

  @Override
  public void close() {
    log.close();
  }

  private AppendFile rewritten() {
    if (directory.exists(TEMPORARY)) {
      directory.delete(TEMPORARY);
    }
    AppendFile next = directory.create(TEMPORARY);
    numbers.forEach(number -> next.append(record(number)));
    if (!bugs.contains(Bug.RENAMES_BEFORE_FORCE)) {
      next.force();
    }
    directory.rename(TEMPORARY, NAME);
    if (!bugs.contains(Bug.FORGETS_THE_DIRECTORY)) {
      directory.syncDirectory();
    }
    return next;
  }

  private void readWhole() {
    try (MappedFile file = directory.openReadOnly(NAME)) {
      int offset = 0;
      while (offset + RECORD_BYTES <= file.length() && isWhole(file.memory(), offset)) {
        numbers.add(file.memory().getLong(offset));
        offset += RECORD_BYTES;
      }
    }
  }

  private boolean isWhole(ByteBuffer memory, int offset) {
    return bugs.contains(Bug.TRUSTS_LENGTH)
        || memory.getInt(offset + Long.BYTES) == checksum(memory.getLong(offset));
  }

  /** Whether list and file hold exactly 0, 1, 2 … */
  boolean isRight() {
    ByteBuffer expected = ByteBuffer.allocate(numbers.size() * RECORD_BYTES);
    for (int i = 0; i < numbers.size(); i++) {
      if (numbers.get(i) != i) {
        return false;
      }
      expected.put(record(i));
    }
    return expected.flip().equals(ByteBuffer.wrap(directory.bytes(NAME)));
  }

  private static ByteBuffer record(long number) {
    return ByteBuffer.allocate(RECORD_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(number)
        .putInt(checksum(number))
        .flip();
  }

  private static int checksum(long number) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number + 1));
    return (int) crc.getValue();
  }
}
