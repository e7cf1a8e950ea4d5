// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.jspecify.annotations.Nullable;

/**
 * The bytes on disk differ from the bytes that were written. The call returned nothing. The message
 * has the file, the offset, the damage and a short remedy.
 *
 * <p>The next steps of an operator:
 *
 * <ol>
 *   <li>Run {@link KvStore#verify(VerifyListener)}, or {@code ./rlsm verify DIR} on a closed store.
 *       It lists every damage, with the keys that may be lost. All other keys stay readable, also
 *       in the same file.
 *   <li>Restore the whole directory from a backup. Files of different moments do not fit together.
 *   <li>Without a backup, copy the entries that are still readable to a new store. Do not write the
 *       lost keys again in this store: a background job that reads the damaged bytes may fail and
 *       make the store read-only.
 * </ol>
 *
 * <p>If opening a store throws this error, the log, the manifest or another file that opening needs
 * is damaged. Then nothing is readable, and only a backup helps. Keep a copy of the directory
 * before anything is changed.
 */
public final class CorruptionException extends KvException {

  private static final long serialVersionUID = 1L;

  private static final String REMEDY = "restore the store's whole directory from a backup;"
      + " if the store opens, verify() lists all damage";

  private final String damage;
  private final String file;
  private final long offset;

  /**
   * Creates the error for damage at an offset of a file.
   *
   * @param file the damaged file's name
   * @param offset bytes from the start of the file to the damaged structure
   * @param detail the expected and the actual content
   */
  public CorruptionException(String file, long offset, String detail) {
    this(file, offset, detail, null);
  }

  /**
   * As {@link #CorruptionException(String, long, String)}, with the error that revealed the damage.
   */
  public CorruptionException(String file, long offset, String detail, @Nullable Throwable cause) {
    this(file, offset, damage(file, offset, detail), REMEDY, cause);
  }

  private CorruptionException(
      String file, long offset, String damage, String remedy, @Nullable Throwable cause) {
    super(damage + "; " + remedy, cause);
    this.damage = damage;
    this.file = file;
    this.offset = offset;
  }

  /**
   * Creates the error for damage that a backup of the store does not repair.
   *
   * @param remedy what to do, in place of the advice in all other messages
   */
  public static CorruptionException withRemedy(
      String file, long offset, String detail, String remedy) {
    return new CorruptionException(file, offset, damage(file, offset, detail), remedy, null);
  }

  private static String damage(String file, long offset, String detail) {
    return "corrupt data in " + file + " at offset " + offset + ": " + detail;
  }

  /** The message without the remedy, for a list of damages. */
  String damage() {
    return damage;
  }

  /** The damaged file's name. */
  public String file() {
    return file;
  }

  /** Bytes from the start of the file to the damaged structure. */
  public long offset() {
    return offset;
  }
}
