// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Run;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of a run in ascending order, without stale pointers. A pointer is stale if it leads
 * into a segment that the run's values were moved out of. Newer runs of the partition shadow such
 * entries, and the accounts no longer count them. So a rewrite of the run drops them and does not
 * count their values as dead twice.
 *
 * <p>Threads: one at a time.
 */
final class RunEntries implements EntryCursor {

  private final EntryCursor all;

  /**
   * The segments that the run's values were moved out of, ascending; searched for every pointer.
   */
  private final int[] movedOut;

  private RunEntries(EntryCursor all, List<Integer> movedOut) {
    this.all = all;
    this.movedOut = movedOut.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The entries of a run. */
  static EntryCursor of(Run run, Table table) {
    EntryCursor all = table.cursor(run.range(), false);
    return run.movedOut().isEmpty() ? all : new RunEntries(all, run.movedOut());
  }

  private boolean skip(boolean more) {
    boolean found = more;
    while (found && isStale()) {
      found = all.next();
    }
    return found;
  }

  private boolean isStale() {
    if (all.kind() != EntryKind.POINTER) {
      return false;
    }
    ValuePointer pointer = ValuePointer.read(all.valueBuffer(), all.valueOffset());
    return Arrays.binarySearch(movedOut, pointer.segment()) >= 0;
  }

  @Override
  public boolean seekFirst() {
    return skip(all.seekFirst());
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    return skip(all.seek(key, offset, length));
  }

  @Override
  public boolean next() {
    return skip(all.next());
  }

  @Override
  public EntryCursor leaf() {
    return all.leaf();
  }

  @Override
  public long keyPrefix() {
    return all.keyPrefix();
  }

  @Override
  public ByteBuffer keyBuffer() {
    return all.keyBuffer();
  }

  @Override
  public int keyOffset() {
    return all.keyOffset();
  }

  @Override
  public int keyLength() {
    return all.keyLength();
  }

  @Override
  public int kind() {
    return all.kind();
  }

  @Override
  public long seqno() {
    return all.seqno();
  }

  @Override
  public ByteBuffer valueBuffer() {
    return all.valueBuffer();
  }

  @Override
  public int valueOffset() {
    return all.valueOffset();
  }

  @Override
  public int valueLength() {
    return all.valueLength();
  }
}
