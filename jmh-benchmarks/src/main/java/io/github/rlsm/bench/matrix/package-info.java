// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The matrix: this project's store beside its peers over value sizes, amounts of data, orders of
 * keys and numbers of clients.
 *
 * <p>A {@link io.github.rlsm.bench.matrix.MatrixCase} is one set of loaded data. Each of its stores
 * loads the data and runs all phases in a separate process. Cases are the unit of recording: a
 * later run skips a case whose results exist. A case gives one or two rows of the table, and a cell
 * is one phase of a row.
 *
 * <p>All decisions are pure functions. {@link io.github.rlsm.bench.matrix.MatrixPlan} decides which
 * cases exist, in which order, and when to stop. {@link io.github.rlsm.bench.matrix.Estimate}
 * predicts their duration. {@link io.github.rlsm.bench.matrix.MatrixTable} turns results into
 * ratios and means. {@link io.github.rlsm.bench.matrix.MatrixReport} and
 * {@link io.github.rlsm.bench.matrix.HeatMap} only format a table. {@code cli.MatrixBenchmark}
 * starts the processes.
 */
@NullMarked
package io.github.rlsm.bench.matrix;

import org.jspecify.annotations.NullMarked;
