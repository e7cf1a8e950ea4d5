// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The full run of the reliability tests: {@code ./check --full}.
 *
 * <p>Each {@link io.github.rlsm.it.full.Campaign} repeats some test classes with more cases than
 * the gate runs. {@link io.github.rlsm.it.full.FullRun} cuts campaigns into chunks. It runs each
 * chunk in a separate JVM, and appends the outcome to {@code docs/reliability/chunks.tsv}. An
 * interrupted run continues after the last recorded chunk. {@link io.github.rlsm.it.full.Report}
 * turns the chunks into the tables of {@code docs/reliability.md}.
 */
@NullMarked
package io.github.rlsm.it.full;

import org.jspecify.annotations.NullMarked;
