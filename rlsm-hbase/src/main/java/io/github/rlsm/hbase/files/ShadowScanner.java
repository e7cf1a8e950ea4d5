// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.metrics.StoreMetrics;
import io.github.rlsm.hbase.values.LazyValueCell;
import io.github.rlsm.hbase.values.ShadowCell;
import io.github.rlsm.hbase.values.ValueFileException;
import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import io.github.rlsm.hbase.values.ValueSource;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.jspecify.annotations.Nullable;

/**
 * A scanner of a key file that turns each shadow into the complete cell before any other code sees
 * it. A scanner of the value file supplies the values and moves along. Both files have the same
 * order, so neighbours cost one block.
 *
 * <p>Threads: one at a time.
 */
public final class ShadowScanner extends LateFileScanner {

  private final PartitionedStoreFile keys;
  private final ValueSources sources;
  private final List<PartitionedStoreFile> values;
  private boolean ended;
  private final CellComparator comparator;
  private ValueScanners scanners;
  private final ValueSource source = this::complete;
  private Predicate<String> passedOn = file -> false;
  private final boolean isUsers;
  private boolean closed;

  /**
   * The value files of a key file.
   *
   * @param sources the files that the shadows name, by index; the scanner is counted in them
   *     already
   * @param scanners the scanners of value files
   */
  record Values(ValueSources sources, ValueScanners scanners) {}

  /**
   * Creates a scanner of a key file.
   *
   * @param keys the key file
   * @param values its value files
   * @param known what allows it to defer a seek; null for a compaction's scanner
   */
  ShadowScanner(
      PartitionedStoreFile keys,
      Values values,
      HFileScanner blocks,
      @Nullable Known known,
      Scope scope) {
    super(keys.getReader(), blocks, known, scope);
    this.isUsers = known != null;
    this.keys = keys;
    this.sources = values.sources();
    this.values = sources.files();
    this.scanners = values.scanners();
    this.scanners.begin();
    this.comparator = keys.getComparator();
  }

  /**
   * Makes the scanner show shadows as {@link ShadowCell}s, whose values stay where they are.
   *
   * @param files selects the value files, by name
   */
  public void passOn(Predicate<String> files) {
    passedOn = files;
  }

  /**
   * Makes all scanners of a compaction use one set of scanners of value files. Values are read in
   * the order of the compaction, so the shared scanners move forward only.
   */
  public static void shareValues(List<ShadowScanner> all) {
    all.forEach(scanner -> scanner.use(all.get(0).scanners));
  }

  private void use(ValueScanners shared) {
    if (scanners != shared) {
      scanners.end();
      scanners = shared;
      scanners.begin();
    }
  }

  /** HBase calls this for each scanner of a user's scan, before it reads. */
  @Override
  public boolean shouldUseScanner(Scan scan, HStore store, long oldestUnexpiredTS) {
    if (scan.isGetScan()) {
      scanners.useForGet();
    } else if (scan.getReadType() == Scan.ReadType.PREAD) {
      scanners.useForFewRows();
    }
    return super.shouldUseScanner(scan, store, oldestUnexpiredTS);
  }

  @Override
  protected void setCurrentCell(@Nullable Cell cell) throws IOException {
    super.setCurrentCell(cell == null ? null : shown(cell));
  }

  private Cell shown(Cell cell) throws IOException {
    Pointer pointer = ValueReferenceTag.of(cell);
    if (pointer == null) {
      return cell;
    }
    if (isUsers) {
      return new LazyValueCell((ExtendedCell) cell, pointer, source);
    }
    String file = value(pointer).name();
    return passedOn.test(file)
        ? new ShadowCell((ExtendedCell) cell, file, pointer, source)
        : new LazyValueCell((ExtendedCell) cell, pointer, source);
  }

  private PartitionedStoreFile value(Pointer pointer) throws ValueFileException {
    if (pointer.file() >= values.size()) {
      throw new ValueFileException(
          keys.name(), "number " + pointer.file(), "is not in its list of " + values.size());
    }
    return values.get(pointer.file());
  }

  private Cell complete(ExtendedCell shadow, Pointer pointer) throws IOException {
    if (closed) {
      throw new IllegalStateException(
          "The scan of " + keys.name() + " has ended; copy a cell to use its value later");
    }
    PartitionedStoreFile file = value(pointer);
    Cell found = null;
    try {
      scanners.moveTo(file, shadow);
      ReadAhead ahead = sources.isNamed(pointer.file()) ? scanners.direct(file, pointer) : null;
      if (ahead != null) {
        found = file.cellAt(ahead, shadow, pointer);
        if (found != null) {
          StoreMetrics.ofServer().readAtOffset();
        }
      }
      if (found == null) {
        ValueWalk walk = scanners.walk(file, pointer);
        found = walk == null ? null : walk.find(shadow, pointer);
      }
      if (found == null) {
        found = find(shadow, pointer, file);
      }
      scanners.found();
    } catch (IOException e) {
      throw new ValueFileException(
          keys.name(), file.getPath().toString(), "cannot be read: " + e.getMessage(), e);
    }
    if (found == null || found.getValueLength() != pointer.valueLength()) {
      throw new ValueFileException(
          keys.name(),
          file.getPath().toString(),
          "has no value of " + pointer.valueLength() + " bytes for "
              + CellUtil.getCellKeyAsString(shadow));
    }
    return found;
  }

  /**
   * Finds the cell with the shadow's key and the sequence id it names; null if there is none. In a
   * file in key order it is mostly the next cell, in this block or in the one after it. So the
   * scanner first tries the next cell, and then searches the file's index.
   */
  private @Nullable Cell find(Cell shadow, Pointer pointer, PartitionedStoreFile file)
      throws IOException {
    StoreFileScanner scanner = scanners.of(file);
    int order = order(scanner, shadow);
    if (order < 0) {
      scanner.next();
      order = order(scanner, shadow);
      if (order < 0) {
        scanner.reseek(shadow);
        order = order(scanner, shadow);
      }
    } else if (order > 0 || sequenceId(scanner) < pointer.sequenceId()) {
      // Of equal keys, the one with the larger sequence id comes first.
      scanner.seek(shadow);
      order = order(scanner, shadow);
    }
    while (order == 0) {
      if (sequenceId(scanner) == pointer.sequenceId()) {
        return scanner.peek();
      }
      scanner.next();
      order = order(scanner, shadow);
    }
    return null;
  }

  /** Compares a scanner's cell with a shadow's key; positive at the end of the file. */
  private int order(StoreFileScanner scanner, Cell shadow) {
    Cell at = scanner.peek();
    return at == null ? 1 : PrivateCellUtil.compareKeyIgnoresMvcc(comparator, at, shadow);
  }

  private static long sequenceId(StoreFileScanner scanner) {
    return ((ExtendedCell) scanner.peek()).getSequenceId();
  }

  @Override
  public void shipped() throws IOException {
    super.shipped();
    scanners.shipped();
  }

  @Override
  public void close() {
    super.close();
    closed = true;
    if (!ended) {
      ended = true;
      scanners.end();
      sources.end();
    }
  }
}
