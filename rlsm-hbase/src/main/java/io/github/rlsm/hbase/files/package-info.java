// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The open files of a store, held as one immutable layout that is replaced as a whole.
 *
 * <p>Entry points: {@code StoreFileSet}, the file manager that HBase calls;
 * {@code PartitionedStoreFile}, a file with its scanners; {@code FileColumns}, which writers store
 * in a file and its scanners use.
 *
 * <p>May import: {@code layout}, {@code config}, {@code metrics}, {@code values}.
 */
@NullMarked
package io.github.rlsm.hbase.files;

import org.jspecify.annotations.NullMarked;
