// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** The command line of the benchmarks. Entry point: {@link io.github.rlsm.bench.cli.BenchMain}. */
@NullMarked
package io.github.rlsm.bench.cli;

import org.jspecify.annotations.NullMarked;
