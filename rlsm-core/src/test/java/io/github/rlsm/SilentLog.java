// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Switches a store's log off during the tests of a class, because a store logs each kind of failure
 * that it meets.
 */
final class SilentLog implements BeforeAllCallback, AfterAllCallback {

  // The field keeps the logger, and with it the level, from being collected.
  private final Logger logger = Logger.getLogger("io.github.rlsm");

  @Override
  public void beforeAll(ExtensionContext context) {
    logger.setLevel(Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    logger.setLevel(null);
  }
}
