// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** The contract of an ordered, durable, embedded key-value store. */
module io.github.rlsm.kv {
  requires static transitive org.jspecify;

  exports io.github.rlsm.kv;
}
