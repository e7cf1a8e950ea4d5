// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/**
 * Replaces a file by a copy of itself with one atomic rename. The bytes of the copy are durable,
 * even if an earlier force of the original failed. The copy has no other name, so it may be
 * written.
 *
 * <p>The rename is durable after the next force of the directory. A crash before that force leaves
 * the original or the copy, and maybe an unfinished copy under the temporary name.
 */
public final class FreshCopy {

  private FreshCopy() {}

  /**
   * Replaces a file.
   *
   * @param temporary a name that no other file uses
   */
  public static void replace(StoreDirectory directory, String name, String temporary) {
    try (MappedFile original = directory.openReadOnly(name)) {
      replace(directory, original, original.length(), temporary);
    }
  }

  /**
   * Replaces a file by a copy of its first bytes.
   *
   * @param original remains open, with its old bytes
   * @param length bytes to copy, 1 or more
   */
  public static void replace(
      StoreDirectory directory, MappedFile original, int length, String temporary) {
    if (directory.exists(temporary)) {
      directory.delete(temporary);
    }
    try (AppendFile copy = directory.create(temporary)) {
      copy.append(original.memory().duplicate().position(0).limit(length));
      copy.force();
    }
    directory.rename(temporary, original.name());
  }
}
