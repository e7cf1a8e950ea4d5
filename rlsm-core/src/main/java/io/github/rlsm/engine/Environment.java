// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What an engine gets from outside that is not a value: time, chance and threads.
 *
 * @param nanoClock nanoseconds that only grow
 * @param random for ids and salts
 * @param scheduler runs background work; the engine closes it
 */
public record Environment(LongSupplier nanoClock, RandomGenerator random, Scheduler scheduler) {}
