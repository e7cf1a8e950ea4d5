// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tests of the store in whole processes: killed, halted, traced, refused, and looked at from
 * outside for what they leave behind.
 */
@NullMarked
package io.github.rlsm.it;

import org.jspecify.annotations.NullMarked;
