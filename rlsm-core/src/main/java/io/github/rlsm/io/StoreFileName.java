// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of a store's file. This is the only class that formats and parses such names.
 *
 * <pre>
 * | name              | type                                                          |
 * | wal-%08d.log      | {@link Type#WRITE_AHEAD_LOG}                                  |
 * | val-%08d.log      | {@link Type#VALUE_LOG}                                        |
 * | tab-%08d.tbl      | {@link Type#TABLE}                                            |
 * | MANIFEST-%08d     | {@link Type#MANIFEST}                                         |
 * | CURRENT           | {@link Type#CURRENT}                                          |
 * | CURRENT.tmp       | {@link Type#CURRENT_TEMPORARY}                                |
 * | SHARDS            | {@link Type#SHARDS}                                           |
 * | SHARDS.tmp        | {@link Type#SHARDS_TEMPORARY}                                 |
 * | LOG-DEVICE        | {@link Type#LOG_DEVICE}                                       |
 * | LOG-DEVICE.tmp    | {@link Type#LOG_DEVICE_TEMPORARY}                             |
 * | SEGMENT.tmp       | {@link Type#SEGMENT_TEMPORARY}                                |
 * | LOCK              | {@link Type#LOCK}                                             |
 * </pre>
 *
 * <p>Numbers are decimal and at least 1. They are zero-padded to eight digits, and have up to 18
 * digits.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Files".
 *
 * @param type the type of the file
 * @param number the number in the name; 0 for types without a number
 */
public record StoreFileName(Type type, long number) {

  /** The types of file that a name can express. */
  public enum Type {
    /** A segment of the write-ahead log. */
    WRITE_AHEAD_LOG("wal-", ".log"),
    /** A segment of the value log. */
    VALUE_LOG("val-", ".log"),
    /** A table. */
    TABLE("tab-", ".tbl"),
    /** A manifest. */
    MANIFEST("MANIFEST-", ""),
    /** The marker that names the manifest in force. */
    CURRENT("CURRENT", null),
    /** The marker that is about to replace CURRENT; obsolete after a crash. */
    CURRENT_TEMPORARY("CURRENT.tmp", null),
    /** The number of shards, and the batches that span several shards. */
    SHARDS("SHARDS", null),
    /** The file that is about to replace SHARDS; obsolete after a crash. */
    SHARDS_TEMPORARY("SHARDS.tmp", null),
    /** The name of the device that holds the direct log. */
    LOG_DEVICE("LOG-DEVICE", null),
    /** The file that is about to replace LOG-DEVICE; obsolete after a crash. */
    LOG_DEVICE_TEMPORARY("LOG-DEVICE.tmp", null),
    /** A copy of a log segment that is about to replace it; obsolete after a crash. */
    SEGMENT_TEMPORARY("SEGMENT.tmp", null),
    /** The file that a process locks to use the directory. */
    LOCK("LOCK", null);

    private final String prefix;
    private final @Nullable String suffix;

    Type(String prefix, @Nullable String suffix) {
      this.prefix = prefix;
      this.suffix = suffix;
    }
  }

  /** Name of the marker that names the manifest in force. */
  public static final String CURRENT = Type.CURRENT.prefix;

  /** Name of the next CURRENT before the rename. */
  public static final String CURRENT_TEMPORARY = Type.CURRENT_TEMPORARY.prefix;

  /** Name of the file with the shards of a store. */
  public static final String SHARDS = Type.SHARDS.prefix;

  /** Name of the next SHARDS before the rename. */
  public static final String SHARDS_TEMPORARY = Type.SHARDS_TEMPORARY.prefix;

  /** Name of the file that names the device of the direct log. */
  public static final String LOG_DEVICE = Type.LOG_DEVICE.prefix;

  /** Name of the next LOG-DEVICE before the rename. */
  public static final String LOG_DEVICE_TEMPORARY = Type.LOG_DEVICE_TEMPORARY.prefix;

  /** Name of recovery's copy of a log segment before the rename. */
  public static final String SEGMENT_TEMPORARY = Type.SEGMENT_TEMPORARY.prefix;

  /** Name of the lock file. */
  public static final String LOCK = Type.LOCK.prefix;

  /** The largest number in a name. */
  public static final long NUMBER_MAX = 999_999_999_999_999_999L;

  private static final int DIGITS_MIN = 8;
  private static final int DIGITS_MAX = 18;

  /** Checks the number. */
  public StoreFileName {
    boolean valid = type.suffix == null ? number == 0 : number > 0 && number <= NUMBER_MAX;
    if (!valid) {
      throw new IllegalArgumentException("no file name has type " + type + " and number " + number);
    }
  }

  /** Name of a segment of the write-ahead log. */
  public static String writeAheadLog(long number) {
    return new StoreFileName(Type.WRITE_AHEAD_LOG, number).format();
  }

  /** Name of a segment of the value log. */
  public static String valueLog(long number) {
    return new StoreFileName(Type.VALUE_LOG, number).format();
  }

  /** Name of a table. */
  public static String table(long number) {
    return new StoreFileName(Type.TABLE, number).format();
  }

  /** Name of a manifest. */
  public static String manifest(long number) {
    return new StoreFileName(Type.MANIFEST, number).format();
  }

  /** Returns the name in the directory. */
  public String format() {
    return type.suffix == null
        ? type.prefix
        : type.prefix + String.format(Locale.ROOT, "%08d", number) + type.suffix;
  }

  /**
   * Parses a file name.
   *
   * @return empty if {@link #format()} cannot produce the name: the file does not belong to the
   *     store
   */
  public static Optional<StoreFileName> parse(String name) {
    for (Type type : Type.values()) {
      String suffix = type.suffix;
      if (suffix == null) {
        if (name.equals(type.prefix)) {
          return Optional.of(new StoreFileName(type, 0));
        }
      } else if (name.startsWith(type.prefix) && name.endsWith(suffix)) {
        return parseNumber(name, type.prefix.length(), name.length() - suffix.length())
            .map(number -> new StoreFileName(type, number));
      }
    }
    return Optional.empty();
  }

  private static Optional<Long> parseNumber(String name, int start, int end) {
    int digits = end - start;
    if (digits < DIGITS_MIN || digits > DIGITS_MAX) {
      return Optional.empty();
    }
    long number = 0;
    for (int i = start; i < end; i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return Optional.empty();
      }
      number = number * 10 + (c - '0');
    }
    boolean canonical = number > 0 && (digits == DIGITS_MIN || name.charAt(start) != '0');
    return canonical ? Optional.of(number) : Optional.empty();
  }
}
