// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** Measures the store engine beside HBase's own, each in a standalone HBase of its own. */
@NullMarked
package io.github.rlsm.bench.hbase;

import org.jspecify.annotations.NullMarked;
