// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of an ordered, durable, embedded key-value store.
 *
 * <p>Start at {@link io.github.rlsm.kv.KvStore}: it is the default
 * {@link io.github.rlsm.kv.Keyspace} and the door to named ones, to
 * {@link io.github.rlsm.kv.WriteBatch atomic batches}, {@link io.github.rlsm.kv.Snapshot snapshots}
 * and {@link io.github.rlsm.kv.Stats}. What a store promises beyond the signatures is written down
 * as tests in {@code KvStoreContract}, which this module publishes as a test-jar for every
 * implementation to inherit. {@link io.github.rlsm.kv.AbstractKvStore} saves one that keeps its
 * default keyspace in an object of its own the forwarding.
 *
 * <p>Conventions that hold everywhere:
 *
 * <ul>
 *   <li>Keys are 1 to {@link io.github.rlsm.kv.KvStore#MAX_KEY_BYTES} bytes, ordered as unsigned
 *       bytes. Values are 0 to {@link io.github.rlsm.kv.KvStore#MAX_VALUE_BYTES} bytes; an empty
 *       value is a value, absence is {@code null}.
 *   <li>Arrays that come out belong to the caller; arrays and buffers that go in are read before
 *       the method returns and never kept. A buffer's content is what lies between position and
 *       limit; reading it leaves its position alone.
 *   <li>Where bytes go in they may come as an array, as a slice of one (offset and length), or as a
 *       heap or direct buffer. The few methods that take more slices than a signature bears
 *       ({@code multiGet}, {@code compareAndSet}) take them as
 *       {@link java.nio.ByteBuffer#wrap(byte[], int, int)}, which copies nothing.
 *   <li>Errors are unchecked {@link io.github.rlsm.kv.KvException}s, except that {@code null} where
 *       a value is required is a {@link java.lang.NullPointerException} that names the argument.
 * </ul>
 *
 * <p>This package imports nothing of the engine.
 */
@NullMarked
package io.github.rlsm.kv;

import org.jspecify.annotations.NullMarked;
