// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.io.IOException;
import java.io.UncheckedIOException;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/**
 * What YCSB's data integrity mode found: every record that was read is compared with the content
 * that follows from its key.
 *
 * @param ok records with the expected content
 * @param missing reads that brought nothing ({@code ERROR} in YCSB's words)
 * @param wrong records with other content ({@code UNEXPECTED_STATE})
 * @param incomplete records with some fields missing, which YCSB takes for right
 */
record VerifiedRows(long ok, long missing, long wrong, long incomplete) {

  static final VerifiedRows NONE = new VerifiedRows(0, 0, 0, 0);

  private static final String METRIC = "VERIFY";
  private static final String STATUS_PREFIX = "Return=";

  /** All that YCSB has counted in this process, and so many incomplete records. */
  static VerifiedRows counted(long incomplete) {
    Counts counts = new Counts();
    try {
      Measurements.getMeasurements().exportMeasurements(counts);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new VerifiedRows(counts.ok, counts.missing, counts.wrong, incomplete);
  }

  /** What was added since an earlier count; {@link #incomplete} is kept as it is. */
  VerifiedRows since(VerifiedRows earlier) {
    return new VerifiedRows(
        ok - earlier.ok, missing - earlier.missing, wrong - earlier.wrong, incomplete);
  }

  /** Rows that were not as they should be. */
  long errors() {
    return missing + wrong + incomplete;
  }

  /** Reads YCSB's own counters, which it gives to exporters only. */
  private static final class Counts implements MeasurementsExporter {
    long ok;
    long missing;
    long wrong;

    @Override
    public void write(String metric, String measurement, int count) {
      if (metric.equals(METRIC) && measurement.startsWith(STATUS_PREFIX)) {
        String status = measurement.substring(STATUS_PREFIX.length());
        if (status.equals(Status.OK.getName())) {
          ok += count;
        } else if (status.equals(Status.ERROR.getName())) {
          missing += count;
        } else {
          wrong += count;
        }
      }
    }

    @Override
    public void write(String metric, String measurement, long value) {}

    @Override
    public void write(String metric, String measurement, double value) {}

    @Override
    public void close() {}
  }
}
