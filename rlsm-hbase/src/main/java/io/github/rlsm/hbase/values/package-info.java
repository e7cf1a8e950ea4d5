// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Separation of large values from the files that are compacted: shadows in key files, and the
 * metadata that links key files to value files. Pure, except for reading the value of a shadow.
 *
 * <p>Entry points: {@code ValueReferenceTag}, the content of a shadow; {@code KeyFileMark}, which
 * names the value files of a key file; {@code CompleteCell}, a cell whose value is in another file;
 * {@code ForwardingCell}, the base of cells that change another one.
 *
 * <p>May import: {@code layout}; no other package of this module.
 */
@NullMarked
package io.github.rlsm.hbase.values;

import org.jspecify.annotations.NullMarked;
