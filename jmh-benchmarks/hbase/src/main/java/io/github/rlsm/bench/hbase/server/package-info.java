// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * A standalone HBase in a process that other processes can start, query, kill and start again, and
 * an HDFS for its files.
 */
@NullMarked
package io.github.rlsm.bench.hbase.server;

import org.jspecify.annotations.NullMarked;
