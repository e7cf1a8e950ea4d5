// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import io.github.rlsm.kv.KvException;
import org.jspecify.annotations.Nullable;

/**
 * Receives the progress and the findings of a file check. A check continues after damage, unless
 * the listener throws.
 */
public interface CheckListener {

  /** Called after each chunk that the check has read. */
  void read(long bytes);

  /**
   * Called for each damage.
   *
   * @param file the damaged file
   * @param offset bytes from the start of the file to the damaged structure
   * @param keys the internal keys that may be affected; null if unknown
   * @param cause the error that a read of the damaged bytes throws
   */
  void damage(String file, long offset, @Nullable KeyRange keys, KvException cause);
}
