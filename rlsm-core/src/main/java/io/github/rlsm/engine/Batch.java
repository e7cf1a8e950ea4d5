// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.RecordEncoder;

/** The operations of a batch, as the engine needs them. */
public interface Batch {

  /** How many operations there are. */
  int operations();

  /** Bytes of all keys and values. */
  long bytes();

  /** Adds every operation to the encoder, in order. Returns the length of the longest value. */
  int encode(RecordEncoder encoder);
}
