// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.level.Table;
import io.github.rlsm.version.LivePartition;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.Run;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Level 1 as one cursor: partition after partition, each a merge of its runs, opened when the
 * cursor comes to it.
 *
 * <p>Threads: one thread at a time.
 */
public final class PartitionsCursor implements EntryCursor {

  private final PinnedVersion<Table> files;
  private final boolean descending;
  private final int count;
  private int index;
  private @Nullable EntryCursor current;

  /** All of level 1 of a pinned version. */
  public PartitionsCursor(PinnedVersion<Table> files, boolean descending) {
    this.files = files;
    this.descending = descending;
    this.count = files.version().partitions().size();
  }

  /** The entries of one partition, newest version of each key, tombstones included. */
  public static EntryCursor of(LivePartition<Table> partition, boolean descending) {
    List<Run> runs = partition.partition().runs();
    KeyRange range = partition.partition().range();
    List<EntryCursor> sources = new ArrayList<>(runs.size());
    for (int i = runs.size() - 1; i >= 0; i--) {
      KeyRange keys = range.intersection(runs.get(i).range());
      sources.add(partition.table(i).cursor(keys, descending));
    }
    return MergingCursor.of(sources, descending);
  }

  @Override
  public boolean seekFirst() {
    index = descending ? count - 1 : 0;
    return openFirstOf();
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    int floor = files.version().floorPartition(key, offset, length);
    index = !descending && floor < 0 ? 0 : floor;
    if (index < 0) {
      current = null;
      return false;
    }
    if (index < count) {
      EntryCursor cursor = of(files.partition(index), descending);
      if (cursor.seek(key, offset, length)) {
        current = cursor;
        return true;
      }
      index += descending ? -1 : 1;
    }
    return openFirstOf();
  }

  @Override
  public boolean next() {
    EntryCursor cursor = current;
    if (cursor == null) {
      return false;
    }
    if (cursor.next()) {
      return true;
    }
    index += descending ? -1 : 1;
    return openFirstOf();
  }

  /** Goes to the first entry of the partition at {@link #index} or of one behind it. */
  private boolean openFirstOf() {
    for (; index >= 0 && index < count; index += descending ? -1 : 1) {
      EntryCursor cursor = of(files.partition(index), descending);
      if (cursor.seekFirst()) {
        current = cursor;
        return true;
      }
    }
    current = null;
    return false;
  }

  private EntryCursor current() {
    EntryCursor cursor = current;
    if (cursor == null) {
      throw new IllegalStateException("not on an entry");
    }
    return cursor;
  }

  @Override
  public EntryCursor leaf() {
    return current().leaf();
  }

  @Override
  public long keyPrefix() {
    return current().keyPrefix();
  }

  @Override
  public ByteBuffer keyBuffer() {
    return current().keyBuffer();
  }

  @Override
  public int keyOffset() {
    return current().keyOffset();
  }

  @Override
  public int keyLength() {
    return current().keyLength();
  }

  @Override
  public int kind() {
    return current().kind();
  }

  @Override
  public long seqno() {
    return current().seqno();
  }

  @Override
  public ByteBuffer valueBuffer() {
    return current().valueBuffer();
  }

  @Override
  public int valueOffset() {
    return current().valueOffset();
  }

  @Override
  public int valueLength() {
    return current().valueLength();
  }
}
