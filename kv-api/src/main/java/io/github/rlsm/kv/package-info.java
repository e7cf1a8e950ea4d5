// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of an ordered, durable, embedded key-value store.
 *
 * <p>Start at {@link io.github.rlsm.kv.KvStore}. It is the default
 * {@link io.github.rlsm.kv.Keyspace} and gives access to named keyspaces,
 * {@link io.github.rlsm.kv.WriteBatch atomic batches}, {@link io.github.rlsm.kv.Snapshot snapshots}
 * and {@link io.github.rlsm.kv.Stats}. {@code KvStoreContract} specifies the behavior beyond the
 * signatures as tests. This module publishes it as a test-jar, and each implementation inherits it.
 * {@link io.github.rlsm.kv.AbstractKvStore} forwards calls for implementations that keep their
 * default keyspace in a separate object.
 *
 * <p>Conventions that hold everywhere:
 *
 * <ul>
 *   <li>Keys are 1 to {@link io.github.rlsm.kv.KvStore#MAX_KEY_BYTES} bytes, ordered as unsigned
 *       bytes. Values are 0 to {@link io.github.rlsm.kv.KvStore#MAX_VALUE_BYTES} bytes. An empty
 *       value is a value; absence is {@code null}.
 *   <li>Returned arrays belong to the caller. Arrays and buffers that are passed in are read before
 *       the method returns and never kept. A buffer's content lies between position and limit;
 *       reading it does not change its position.
 *   <li>Methods accept bytes as an array, as a slice of an array (offset and length), or as a heap
 *       or direct buffer. A few methods would need too many parameters for slices
 *       ({@code multiGet}, {@code compareAndSet}). They accept slices as
 *       {@link java.nio.ByteBuffer#wrap(byte[], int, int)}, which copies nothing.
 *   <li>Errors are unchecked {@link io.github.rlsm.kv.KvException}s, with one exception:
 *       {@code null} for a required argument is a {@link java.lang.NullPointerException} that names
 *       the argument.
 * </ul>
 *
 * <p>This package imports nothing of the engine.
 */
@NullMarked
package io.github.rlsm.kv;

import org.jspecify.annotations.NullMarked;
