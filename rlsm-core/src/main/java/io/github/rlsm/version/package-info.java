// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The live file set, its edits and the manifest. */
@NullMarked
package io.github.rlsm.version;

import org.jspecify.annotations.NullMarked;
