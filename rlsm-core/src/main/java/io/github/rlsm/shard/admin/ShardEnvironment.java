// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.admin;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * The services that a sharded store gets from its caller.
 *
 * @param workers creates the thread of each worker
 * @param random draws ids and salts
 * @param completions runs the callbacks of asynchronous calls
 */
public record ShardEnvironment(
    ThreadFactory workers, RandomGenerator random, Executor completions) {}
