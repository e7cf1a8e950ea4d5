// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** A standalone HBase as a process that others start, ask, kill and start again. */
@NullMarked
package io.github.rlsm.bench.hbase.server;

import org.jspecify.annotations.NullMarked;
