// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Large values beside the files that are compacted: what stands for a value in a key file, and what
 * a key file says of the value files. Pure but for reading what a shadow stands for.
 *
 * <p>May import: {@code layout}, of this module nothing else.
 */
@NullMarked
package io.github.rlsm.hbase.values;

import org.jspecify.annotations.NullMarked;
