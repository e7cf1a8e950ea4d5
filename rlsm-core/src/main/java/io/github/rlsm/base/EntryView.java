// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A place to put what a lookup found: one object, made once by a reader and filled again and again,
 * so that a lookup allocates nothing.
 *
 * <p>The value is not copied: {@link #buffer()} is memory of the component that found it,
 * little-endian, to be read by absolute access only, and good for as long as the reader pins that
 * component.
 *
 * <p>Threads: one thread at a time.
 */
public final class EntryView {

  private @Nullable ByteBuffer buffer;
  private int kind;
  private long seqno;
  private int valueOffset;
  private int valueLength;

  /** Fills the view. */
  public void set(ByteBuffer buffer, int kind, long seqno, int valueOffset, int valueLength) {
    this.buffer = buffer;
    this.kind = kind;
    this.seqno = seqno;
    this.valueOffset = valueOffset;
    this.valueLength = valueLength;
  }

  /** Empties the view, so that it holds on to no memory. */
  public void clear() {
    buffer = null;
    kind = 0;
    seqno = 0;
    valueOffset = 0;
    valueLength = 0;
  }

  /** Whether the view is filled. */
  public boolean isFilled() {
    return buffer != null;
  }

  /**
   * The memory that holds the value, or its encoded {@link ValuePointer}.
   *
   * @throws IllegalStateException if nothing was found yet
   */
  public ByteBuffer buffer() {
    ByteBuffer filled = buffer;
    if (filled == null) {
      throw new IllegalStateException("the view is empty");
    }
    return filled;
  }

  /** {@link EntryKind} of the entry; 0 when the view is empty. */
  public int kind() {
    return kind;
  }

  /** Sequence number of the entry. */
  public long seqno() {
    return seqno;
  }

  /** Where the value, or its pointer, begins in {@link #buffer()}. */
  public int valueOffset() {
    return valueOffset;
  }

  /** Length of the value, or of its pointer; 0 for a tombstone. */
  public int valueLength() {
    return valueLength;
  }
}
