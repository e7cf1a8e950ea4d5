// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Receives the store's log records about its health, instead of the console, until it is closed.
 *
 * <p>Threads: any.
 */
final class HealthLog extends Handler {

  private final Logger logger = Logger.getLogger("io.github.rlsm.health");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  HealthLog() {
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /** The messages of a level, oldest first. */
  List<String> messages(Level level) {
    return records.stream()
        .filter(record -> record.getLevel().equals(level))
        .map(LogRecord::getMessage)
        .toList();
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
