// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The base types of the engine: internal keys with their order and hash, entry kinds, value
 * pointers, and the cursor interface. Memory, tables and merges implement this interface. The room
 * also has the types for byte order, counting, selection, waiting and reuse of buffers that several
 * rooms use.
 *
 * <p>Entry points: {@link io.github.rlsm.base.KeyspacePrefix} makes a user's key an internal key.
 * {@link io.github.rlsm.base.KeyOrder} and {@link io.github.rlsm.base.KeyHash} order and hash
 * internal keys. {@link io.github.rlsm.base.ValuePointer}, {@link io.github.rlsm.base.EntryCursor}
 * and the {@link io.github.rlsm.base.CursorEntry} that it is on are the other main types.
 *
 * <p>May import: {@code kv}.
 */
@NullMarked
package io.github.rlsm.base;

import org.jspecify.annotations.NullMarked;
