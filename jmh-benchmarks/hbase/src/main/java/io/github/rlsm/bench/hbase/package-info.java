// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** Compares the store engine with HBase's own, each in its own standalone HBase. */
@NullMarked
package io.github.rlsm.bench.hbase;

import org.jspecify.annotations.NullMarked;
