// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous write. If it fails, both stages fail, with the same cause; a stage that was
 * reached stays so. Cancelling either withdraws the write, if its worker has not taken it yet; else
 * it returns false and changes nothing.
 *
 * @param visible completed when every reader sees the write
 * @param durable completed when it also survives what its durability says
 */
public record AsyncWrite(
    CompletableFuture<@Nullable Void> visible, CompletableFuture<@Nullable Void> durable) {}
