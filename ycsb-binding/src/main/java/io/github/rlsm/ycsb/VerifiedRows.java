// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.io.IOException;
import java.io.UncheckedIOException;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/**
 * Results of YCSB's data integrity mode, which compares every record that is read with the content
 * derived from its key.
 *
 * @param ok records with the expected content
 * @param missing reads without a result ({@code ERROR} in YCSB's terms)
 * @param wrong records with other content ({@code UNEXPECTED_STATE})
 * @param incomplete records with some fields missing, which YCSB accepts
 */
record VerifiedRows(long ok, long missing, long wrong, long incomplete) {

  static final VerifiedRows NONE = new VerifiedRows(0, 0, 0, 0);

  private static final String METRIC = "VERIFY";
  private static final String STATUS_PREFIX = "Return=";

  /** All counts of YCSB in this process, and the given number of incomplete records. */
  static VerifiedRows counted(long incomplete) {
    Counts counts = new Counts();
    try {
      Measurements.getMeasurements().exportMeasurements(counts);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new VerifiedRows(counts.ok, counts.missing, counts.wrong, incomplete);
  }

  /** The difference to an earlier count. {@link #incomplete} is not changed. */
  VerifiedRows since(VerifiedRows earlier) {
    return new VerifiedRows(
        ok - earlier.ok, missing - earlier.missing, wrong - earlier.wrong, incomplete);
  }

  /** The number of wrong rows. */
  long errors() {
    return missing + wrong + incomplete;
  }

  /** Reads YCSB's counters. YCSB passes them only to exporters. */
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
