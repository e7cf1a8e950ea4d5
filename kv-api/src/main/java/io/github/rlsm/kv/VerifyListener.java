// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * Follows a running {@link KvStore#verify(VerifyListener)}. All methods are called by the thread
 * that verifies. An exception thrown by a method ends the verification and reaches its caller.
 */
public interface VerifyListener {

  /** A listener that does nothing. */
  VerifyListener NONE = new VerifyListener() {};

  /**
   * Called every few mebibytes and at the end.
   *
   * @param bytesRead bytes read so far
   * @param bytesTotal an estimate of all bytes that will be read; never less than {@code bytesRead}
   */
  default void progress(long bytesRead, long bytesTotal) {}

  /** Called for each damage, as soon as it is found. */
  default void damaged(VerifyReport.Damage damage) {}
}
