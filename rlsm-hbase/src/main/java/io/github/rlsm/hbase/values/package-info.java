// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Separation of large values from the files that are compacted: shadows in key files, and the
 * metadata that links key files to value files. Pure, except for reading the value of a shadow.
 *
 * <p>May import: {@code layout}; no other package of this module.
 */
@NullMarked
package io.github.rlsm.hbase.values;

import org.jspecify.annotations.NullMarked;
