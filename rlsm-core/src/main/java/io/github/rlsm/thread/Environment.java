// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The engine's environment: time, randomness and threads.
 *
 * @param nanoClock a monotonic clock in nanoseconds
 * @param random source of ids and salts
 * @param scheduler runs background work; the engine closes it
 */
public record Environment(LongSupplier nanoClock, RandomGenerator random, Scheduler scheduler) {}
