// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.matrix.MatrixRow.Cell;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The heat map: one panel for each pattern of keys and number of clients, with a field for each
 * cell. Red is slower than the fastest peer, green is faster, and the hue saturates at 4 times.
 */
public final class HeatMap {

  private static final int FIELD_WIDTH = 46;
  private static final int FIELD_HEIGHT = 17;
  private static final int LABEL_WIDTH = 96;
  private static final int HEADING_HEIGHT = 78;
  private static final int MARGIN = 16;
  private static final double SATURATED_LOG2 = 2;

  private static final int[] MIDDLE = {250, 250, 245};
  private static final int[] SLOWER = {200, 40, 40};
  private static final int[] FASTER = {20, 140, 80};

  private static final List<Integer> CLIENTS = List.of(2, 8);
  private static final List<Amount> AMOUNTS = List.of(Amount.HALF, Amount.MORE, Amount.FAR_MORE);

  private final MatrixTable table;
  private final StringBuilder svg = new StringBuilder();

  private HeatMap(MatrixTable table) {
    this.table = table;
  }

  /** The heat map as an SVG document. */
  public static String of(MatrixTable table) {
    return new HeatMap(table).draw();
  }

  private String draw() {
    int columns = MatrixColumn.values().length;
    int rows = MatrixPlan.SIZES.size() * AMOUNTS.size();
    int panelWidth = LABEL_WIDTH + columns * FIELD_WIDTH + MARGIN;
    int panelHeight = HEADING_HEIGHT + rows * FIELD_HEIGHT + MARGIN;
    int width = KeyPattern.values().length * panelWidth + MARGIN;
    int height = CLIENTS.size() * panelHeight + MARGIN;
    svg.append(String.format(
        Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"10\">\n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        width,
        height));
    int left = MARGIN;
    for (KeyPattern keys : KeyPattern.values()) {
      for (int i = 0; i < CLIENTS.size(); i++) {
        panel(keys, CLIENTS.get(i), left, MARGIN + i * panelHeight);
      }
      left += panelWidth;
    }
    return svg.append("</svg>\n").toString();
  }

  private void panel(KeyPattern keys, int clients, int left, int top) {
    String title = keys.name().toLowerCase(Locale.ROOT) + " keys, " + clients + " threads";
    text(left, top + 12, "font-size=\"13\" font-weight=\"bold\"", title);
    int middle = left + LABEL_WIDTH + FIELD_WIDTH / 2;
    int headings = top + HEADING_HEIGHT - 6;
    for (MatrixColumn column : MatrixColumn.values()) {
      String rotated = "transform=\"rotate(-35 " + middle + " " + headings + ")\"";
      text(middle, headings, rotated, column.title());
      middle += FIELD_WIDTH;
    }
    int y = top + HEADING_HEIGHT;
    for (int size : MatrixPlan.SIZES) {
      for (Amount amount : AMOUNTS) {
        String label = String.format(Locale.ROOT, "%,d B, %s ×", size, amount.sign());
        text(left, y + FIELD_HEIGHT - 5, "", label);
        MatrixCase one = new MatrixCase(size, amount, keys.order(), clients);
        int x = left + LABEL_WIDTH;
        for (MatrixColumn column : MatrixColumn.values()) {
          field(x, y, cell(one, keys, column));
          x += FIELD_WIDTH;
        }
        y += FIELD_HEIGHT;
      }
    }
  }

  private Optional<Cell> cell(MatrixCase one, KeyPattern keys, MatrixColumn column) {
    return table.rows().stream()
        .filter(row -> row.one().equals(one) && row.keys() == keys)
        .flatMap(row -> row.cell(column).stream())
        .findFirst();
  }

  private void field(int x, int y, Optional<Cell> cell) {
    svg.append(String.format(
        Locale.ROOT,
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
        x,
        y,
        FIELD_WIDTH - 1,
        FIELD_HEIGHT - 1,
        cell.map(measured -> colour(measured.ratio())).orElse("#eeeeee")));
    cell.ifPresent(measured -> text(
        x + FIELD_WIDTH / 2,
        y + FIELD_HEIGHT - 5,
        "text-anchor=\"middle\"",
        String.format(Locale.ROOT, "%.2f", measured.ratio())));
  }

  /** The colour of a ratio: a mix, linear in the logarithm of the ratio. */
  static String colour(double ratio) {
    double log2 = Math.log(ratio) / Math.log(2);
    double share = Math.min(1, Math.abs(log2) / SATURATED_LOG2);
    int[] end = log2 < 0 ? SLOWER : FASTER;
    int rgb = 0;
    for (int i = 0; i < MIDDLE.length; i++) {
      rgb = (rgb << 8) | (int) Math.round(MIDDLE[i] + share * (end[i] - MIDDLE[i]));
    }
    return String.format(Locale.ROOT, "#%06x", rgb);
  }

  private void text(int x, int y, String attributes, String content) {
    svg.append(String.format(
        Locale.ROOT, "<text x=\"%d\" y=\"%d\" %s>%s</text>\n", x, y, attributes, content));
  }
}
