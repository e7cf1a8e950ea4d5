// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The selection of entries for a scan, and their order. Immutable; created by {@link #builder()} or
 * one of the short forms.
 *
 * <p>Bounds and prefix combine: an entry must lie within both. A range that is empty by its bounds
 * is not an error; the scan returns nothing. Bounds and prefix need not be legal keys: they may be
 * empty or longer than any key.
 */
public final class ScanOptions {

  private static final ScanOptions ALL = builder().build();

  private final byte @Nullable [] from;
  private final byte @Nullable [] to;
  private final boolean reverse;
  private final boolean keysOnly;
  private final long limit;

  private ScanOptions(Builder builder) {
    byte[] prefix = builder.prefix;
    this.from = prefix == null ? builder.from : larger(builder.from, prefix);
    this.to = prefix == null ? builder.to : smaller(builder.to, successor(prefix));
    this.reverse = builder.reverse;
    this.keysOnly = builder.keysOnly;
    this.limit = builder.limit;
  }

  /** Everything, in ascending order. */
  public static ScanOptions all() {
    return ALL;
  }

  /** The keys in {@code [from, to)}, in ascending order. */
  public static ScanOptions range(byte[] from, byte[] to) {
    return builder().from(from).to(to).build();
  }

  /** As {@link #range(byte[], byte[])}, from heap or direct buffers. */
  public static ScanOptions range(ByteBuffer from, ByteBuffer to) {
    return builder().from(from).to(to).build();
  }

  /** The keys that begin with {@code prefix}, in ascending order. */
  public static ScanOptions prefix(byte[] prefix) {
    return builder().prefix(prefix).build();
  }

  /** As {@link #prefix(byte[])}, from a heap or direct buffer. */
  public static ScanOptions prefix(ByteBuffer prefix) {
    return builder().prefix(prefix).build();
  }

  /** A builder that selects everything, ascending, with values, without a limit. */
  public static Builder builder() {
    return new Builder();
  }

  /** The lowest selected key, inclusive; null for no bound. Bounds and prefix are combined. */
  public byte @Nullable [] from() {
    return from == null ? null : from.clone();
  }

  /** The end of the range, exclusive; null for no bound. Bounds and prefix are combined. */
  public byte @Nullable [] to() {
    return to == null ? null : to.clone();
  }

  /** Whether the order is descending. */
  public boolean isReverse() {
    return reverse;
  }

  /** Whether values are left out. */
  public boolean isKeysOnly() {
    return keysOnly;
  }

  /** The largest number of entries returned; {@link Long#MAX_VALUE} for no limit. */
  public long limit() {
    return limit;
  }

  private static byte[] larger(byte @Nullable [] a, byte[] b) {
    return a != null && Arrays.compareUnsigned(a, b) > 0 ? a : b;
  }

  private static byte @Nullable [] smaller(byte @Nullable [] a, byte @Nullable [] b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return Arrays.compareUnsigned(a, b) < 0 ? a : b;
  }

  /**
   * The smallest key above every key that begins with {@code prefix}; null if no such key exists.
   */
  private static byte @Nullable [] successor(byte[] prefix) {
    for (int i = prefix.length - 1; i >= 0; i--) {
      if (prefix[i] != (byte) 0xFF) {
        byte[] next = Arrays.copyOf(prefix, i + 1);
        next[i]++;
        return next;
      }
    }
    return null;
  }

  /** Collects scan options. Threads: one thread at a time. */
  public static final class Builder {

    private byte @Nullable [] from;
    private byte @Nullable [] to;
    private byte @Nullable [] prefix;
    private boolean reverse;
    private boolean keysOnly;
    private long limit = Long.MAX_VALUE;

    private Builder() {}

    /** Sets the lowest selected key, inclusive. */
    public Builder from(byte[] key) {
      this.from = copy(key, "key");
      return this;
    }

    /** As {@link #from(byte[])}, from {@code key[offset, offset + length)}. */
    public Builder from(byte[] key, int offset, int length) {
      this.from = copy(key, offset, length, "key");
      return this;
    }

    /** As {@link #from(byte[])}, from a heap or direct buffer. */
    public Builder from(ByteBuffer key) {
      this.from = Buffers.toArray(key, "key");
      return this;
    }

    /** Sets the upper end of the range, exclusive, also for descending scans. */
    public Builder to(byte[] key) {
      this.to = copy(key, "key");
      return this;
    }

    /** As {@link #to(byte[])}, from {@code key[offset, offset + length)}. */
    public Builder to(byte[] key, int offset, int length) {
      this.to = copy(key, offset, length, "key");
      return this;
    }

    /** As {@link #to(byte[])}, from a heap or direct buffer. */
    public Builder to(ByteBuffer key) {
      this.to = Buffers.toArray(key, "key");
      return this;
    }

    /** Selects only keys that begin with these bytes. An empty prefix selects everything. */
    public Builder prefix(byte[] bytes) {
      this.prefix = copy(bytes, "bytes");
      return this;
    }

    /** As {@link #prefix(byte[])}, from {@code bytes[offset, offset + length)}. */
    public Builder prefix(byte[] bytes, int offset, int length) {
      this.prefix = copy(bytes, offset, length, "bytes");
      return this;
    }

    /** As {@link #prefix(byte[])}, from a heap or direct buffer. */
    public Builder prefix(ByteBuffer bytes) {
      this.prefix = Buffers.toArray(bytes, "bytes");
      return this;
    }

    /** Selects descending key order instead of ascending. */
    public Builder reverse() {
      this.reverse = true;
      return this;
    }

    /** Leaves out values. The scan does not read values that are stored apart from their keys. */
    public Builder keysOnly() {
      this.keysOnly = true;
      return this;
    }

    /**
     * Sets the largest number of entries returned.
     *
     * @throws IllegalArgumentException if negative
     */
    public Builder limit(long entries) {
      if (entries < 0) {
        throw new IllegalArgumentException("limit is " + entries + ", must be 0 or more");
      }
      this.limit = entries;
      return this;
    }

    /** The options collected so far. */
    public ScanOptions build() {
      return new ScanOptions(this);
    }

    private static byte[] copy(byte[] bytes, String name) {
      return copy(bytes, 0, Objects.requireNonNull(bytes, name).length, name);
    }

    private static byte[] copy(byte[] bytes, int offset, int length, String name) {
      Objects.requireNonNull(bytes, name);
      Objects.checkFromIndexSize(offset, length, bytes.length);
      return Arrays.copyOfRange(bytes, offset, offset + length);
    }
  }

  @Override
  public String toString() {
    return "ScanOptions[from="
        + Objects.requireNonNullElse(KeyFormat.shortHexOrNull(from), "-")
        + ", to="
        + Objects.requireNonNullElse(KeyFormat.shortHexOrNull(to), "-")
        + (reverse ? ", reverse" : "")
        + (keysOnly ? ", keysOnly" : "")
        + (limit == Long.MAX_VALUE ? "" : ", limit=" + limit)
        + "]";
  }
}
