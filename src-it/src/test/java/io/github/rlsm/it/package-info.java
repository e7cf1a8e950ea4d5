// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tests of the store in whole processes. The processes are killed, halted, traced or refused, and
 * their files are checked from outside.
 */
@NullMarked
package io.github.rlsm.it;

import org.jspecify.annotations.NullMarked;
