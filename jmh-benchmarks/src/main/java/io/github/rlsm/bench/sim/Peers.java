// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plays inserts through the models of other stores. */
public final class Peers {

  private Peers() {}

  /** By name, what each writes over what was put, at sizes that rise. */
  public static Map<String, List<Double>> writeAmplification(
      double flushBytes, List<Double> sizes) {
    Map<String, PeerModel> models = new LinkedHashMap<>();
    models.put("leveled, fanout 10", PeerModel.leveled(10));
    models.put("HBase, exploring", PeerModel.exploring());
    models.put("tiered, 4", PeerModel.tiered(4));
    models.put("tiered, 10", PeerModel.tiered(10));
    Map<String, List<Double>> lines = new LinkedHashMap<>();
    models.forEach((name, model) -> lines.put(name, play(model, flushBytes, sizes)));
    return lines;
  }

  private static List<Double> play(PeerModel model, double flushBytes, List<Double> sizes) {
    List<Double> line = new ArrayList<>();
    double put = 0;
    double written = 0;
    for (double size : sizes) {
      while (put < size) {
        put += flushBytes;
        written += flushBytes + model.flush(flushBytes);
      }
      line.add(written / put);
    }
    return line;
  }
}
