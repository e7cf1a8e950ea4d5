// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * What a sharded store gets from outside that is not a value.
 *
 * @param workers makes the thread of each worker
 * @param random for ids and salts
 * @param completions runs what waits for asynchronous calls
 */
public record ShardEnvironment(
    ThreadFactory workers, RandomGenerator random, Executor completions) {}
