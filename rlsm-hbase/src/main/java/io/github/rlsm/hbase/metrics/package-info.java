// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The engine's counters, as HBase metrics. Imports no other package of this module. */
@NullMarked
package io.github.rlsm.hbase.metrics;

import org.jspecify.annotations.NullMarked;
