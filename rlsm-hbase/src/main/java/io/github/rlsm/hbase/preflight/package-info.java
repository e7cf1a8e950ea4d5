// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The command that inspects a cluster and a table before the engine is enabled. It changes nothing.
 *
 * <p>May import: every other package of this module.
 */
@NullMarked
package io.github.rlsm.hbase.preflight;

import org.jspecify.annotations.NullMarked;
