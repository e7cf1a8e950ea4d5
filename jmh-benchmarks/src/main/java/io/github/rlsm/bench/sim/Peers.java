// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Simulates inserts with the models of other stores. */
final class Peers {

  private Peers() {}

  /**
   * The state of a model at one size.
   *
   * @param writeAmplification bytes written divided by bytes put, without the log
   * @param runs sorted runs that a lookup may have to search at this size
   */
  record Point(double writeAmplification, int runs) {}

  /** The points of each model by name, at ascending sizes. */
  static Map<String, List<Point>> play(double flushBytes, List<Double> sizes) {
    Map<String, PeerModel> models = new LinkedHashMap<>();
    models.put("leveled, fanout 10", PeerModel.leveled(10));
    models.put("HBase, exploring", PeerModel.exploring());
    models.put("tiered, 4", PeerModel.tiered(4));
    models.put("tiered, 10", PeerModel.tiered(10));
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    models.forEach((name, model) -> lines.put(name, play(model, flushBytes, sizes)));
    return lines;
  }

  private static List<Point> play(PeerModel model, double flushBytes, List<Double> sizes) {
    List<Point> line = new ArrayList<>();
    double put = 0;
    double written = 0;
    for (double size : sizes) {
      while (put < size) {
        put += flushBytes;
        written += flushBytes + model.flush(flushBytes);
      }
      line.add(new Point(written / put, model.runs()));
    }
    return line;
  }
}
