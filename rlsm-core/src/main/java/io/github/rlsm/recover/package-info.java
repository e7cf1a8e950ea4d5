// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** Reading a store directory back into memory after a stop or a crash. */
@NullMarked
package io.github.rlsm.recover;

import org.jspecify.annotations.NullMarked;
