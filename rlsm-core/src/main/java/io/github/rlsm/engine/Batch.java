// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.RecordEncoder;

/** The operations of a batch, in the form that the engine needs. */
public interface Batch {

  /** Returns the number of operations. */
  int operations();

  /** Returns the total bytes of all keys and values. */
  long bytes();

  /** Adds every operation to the encoder, in order. Returns the length of the longest value. */
  int encode(RecordEncoder encoder);
}
