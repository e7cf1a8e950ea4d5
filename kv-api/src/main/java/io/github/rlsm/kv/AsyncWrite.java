// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous write. If it fails, every stage that is not complete fails with the same cause.
 * Cancelling a stage withdraws the write if the store has not begun it. Otherwise the cancellation
 * returns false and changes nothing.
 *
 * @param visible completed when every reader sees the write
 * @param durable completed when the write also has the requested durability
 */
public record AsyncWrite(
    CompletableFuture<@Nullable Void> visible, CompletableFuture<@Nullable Void> durable) {}
