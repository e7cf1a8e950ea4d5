// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A holder for the result of a lookup. A reader allocates one view and reuses it, so a lookup
 * allocates nothing.
 *
 * <p>The value is not copied. {@link #buffer()} is memory of the component that holds the entry; it
 * is little-endian and valid while the reader pins that component. Use only absolute access.
 *
 * <p>Threads: one thread at a time.
 */
public final class EntryView {

  private @Nullable ByteBuffer buffer;
  private int kind;
  private int valueOffset;
  private int valueLength;

  /** Fills the view. */
  public void set(ByteBuffer buffer, int kind, int valueOffset, int valueLength) {
    this.buffer = buffer;
    this.kind = kind;
    this.valueOffset = valueOffset;
    this.valueLength = valueLength;
  }

  /** Clears the view, so that it retains no buffer. */
  public void clear() {
    buffer = null;
    kind = 0;
    valueOffset = 0;
    valueLength = 0;
  }

  /** Returns whether the view holds an entry. */
  public boolean isFilled() {
    return buffer != null;
  }

  /**
   * The memory that holds the value, or its encoded {@link ValuePointer}.
   *
   * @throws IllegalStateException if the view is empty
   */
  public ByteBuffer buffer() {
    ByteBuffer filled = buffer;
    if (filled == null) {
      throw new IllegalStateException("the view is empty; look a key up first");
    }
    return filled;
  }

  /** {@link EntryKind} of the entry; 0 if the view is empty. */
  public int kind() {
    return kind;
  }

  /** Offset of the value, or of its pointer, in {@link #buffer()}. */
  public int valueOffset() {
    return valueOffset;
  }

  /** Length of the value, or of its pointer; 0 for a tombstone. */
  public int valueLength() {
    return valueLength;
  }
}
