// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** What the engine counts, in HBase's own metrics. Imports nothing else of this module. */
@NullMarked
package io.github.rlsm.hbase.metrics;

import org.jspecify.annotations.NullMarked;
