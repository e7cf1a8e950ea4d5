// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * What an acknowledged write survives. Each level keeps the promises of the ones before it, and a
 * promise kept for one write is kept for every earlier write too: after any crash the store holds a
 * gap-free prefix of its history.
 */
public enum Durability {
  /** Survives the close of the store. May be lost when the process dies. */
  BUFFERED,
  /** Survives the death of the process ({@code kill -9}). May be lost when the machine dies. */
  OS,
  /** Survives the death of the machine (power loss), if the storage device keeps its promises. */
  SYNC
}
