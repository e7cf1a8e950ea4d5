// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * The failures that an acknowledged write survives. Each level includes the promises of the levels
 * before it. A promise for one write also covers every earlier write: after any crash the store
 * holds a gap-free prefix of its history.
 *
 * <p>Durability is about crashes, not about visibility. Other threads may read a write as soon as
 * the store has ordered it, which may be before it is durable and before the call returns. If the
 * machine loses power in between, the write may be lost although it was read. A reader that must
 * not depend on such a write calls {@link KvStore#sync()} before it acts. The death of the process
 * takes back no write of {@link #OS} or {@link #SYNC} that was read.
 */
public enum Durability {
  /** Survives the close of the store. May be lost when the process dies. */
  BUFFERED,
  /** Survives the death of the process ({@code kill -9}). May be lost when the machine dies. */
  OS,
  /** Survives the death of the machine (power loss), if the storage device keeps its promises. */
  SYNC
}
