// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What the operating system tells of a process: bytes written, memory, room on disk; and the memory
 * limit it is measured under. Where the system does not tell, the figure is -1 and reports leave it
 * out.
 */
@NullMarked
package io.github.rlsm.bench.gauge;

import org.jspecify.annotations.NullMarked;
