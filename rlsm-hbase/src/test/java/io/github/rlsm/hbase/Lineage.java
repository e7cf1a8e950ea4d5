// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Creates regions from the files of other regions. They match the files that HBase's master writes
 * in {@code HRegionFileSystem.splitStoreFile}, {@code mergeStoreFile} and
 * {@code RestoreSnapshotHelper}. The HBase methods themselves need a master, and their arguments
 * differ between versions. A parent region is closed and keeps its files.
 */
final class Lineage {

  private static long nextId = 1;

  private Lineage() {}

  /** A file that other regions will refer to. */
  private record Source(String name, Cell first, Cell last) {}

  /**
   * Whether reverse scans of the lower half work. They fail, with any engine, in a lower half of a
   * file with one or two rows: {@code HalfStoreFileReader.seekTo} asks for a key after the end of
   * the half.
   */
  static boolean mayBeSplit(TestRegion parent, byte[] row) throws IOException {
    parent.region().flush(true);
    for (HStoreFile file : parent.store().getStorefiles()) {
      Optional<Cell> last = file.getLastKey();
      if (last.isPresent()
          && isBefore(CellUtil.cloneRow(file.getFirstKey().orElseThrow()), row)
          && !isBefore(CellUtil.cloneRow(last.get()), row)
          && !hasThreeRowsBefore(parent, file, row)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasThreeRowsBefore(TestRegion parent, HStoreFile file, byte[] row)
      throws IOException {
    HFileScanner cells =
        file.getReader().getHFileReader().getScanner(parent.conf(), false, true, false);
    int rows = 0;
    byte[] before = null;
    for (boolean more = cells.seekTo(); more && rows < 3; more = cells.next()) {
      byte[] next = CellUtil.cloneRow(cells.getCell());
      if (!isBefore(next, row)) {
        return false;
      }
      rows += Arrays.equals(next, before) ? 0 : 1;
      before = next;
    }
    return rows == 3;
  }

  private static boolean isBefore(byte[] left, byte[] right) {
    return Bytes.compareTo(left, right) < 0;
  }

  /** Splits a region into two. As in HBase, the parent must not refer to another region's files. */
  static List<TestRegion> split(TestRegion parent, byte[] row) throws IOException {
    List<Source> sources = sources(parent);
    RegionInfo whole = parent.region().getRegionInfo();
    return List.of(
        half(parent, sources, child(whole, whole.getStartKey(), row), row, false),
        half(parent, sources, child(whole, row, whole.getEndKey()), row, true));
  }

  private static TestRegion half(
      TestRegion parent, List<Source> sources, RegionInfo info, byte[] row, boolean top)
      throws IOException {
    Path folder = folder(parent, info);
    FileSystem files = folder.getFileSystem(parent.conf());
    for (Source source : sources) {
      boolean below = isBefore(CellUtil.cloneRow(source.first()), row);
      boolean above = !isBefore(CellUtil.cloneRow(source.last()), row);
      if (below && above) {
        Reference half =
            top ? Reference.createTopReference(row) : Reference.createBottomReference(row);
        half.write(files, new Path(folder, source.name() + "." + encoded(parent)));
      } else if (top == above) {
        link(files, folder, parent, source.name());
      }
    }
    return new TestRegion(parent, info);
  }

  /** Merges two neighbours into one region. Neither may refer to another region's files. */
  static TestRegion merge(TestRegion left, TestRegion right) throws IOException {
    RegionInfo first = left.region().getRegionInfo();
    RegionInfo info =
        child(first, first.getStartKey(), right.region().getRegionInfo().getEndKey());
    Path folder = folder(left, info);
    FileSystem files = folder.getFileSystem(left.conf());
    for (TestRegion region : List.of(left, right)) {
      byte[] start = region.region().getRegionInfo().getStartKey();
      for (Source source : sources(region)) {
        Reference.createTopReference(start)
            .write(files, new Path(folder, source.name() + "." + encoded(region)));
      }
    }
    return new TestRegion(left, info);
  }

  /** Creates a region with the same rows in another table, as from a snapshot. */
  static TestRegion cloned(TestRegion region, TableName table) throws IOException {
    RegionInfo was = region.region().getRegionInfo();
    RegionInfo info = RegionInfoBuilder.newBuilder(table)
        .setStartKey(was.getStartKey())
        .setEndKey(was.getEndKey())
        .setRegionId(nextId++)
        .build();
    Path folder = folder(region, info);
    FileSystem files = folder.getFileSystem(region.conf());
    for (Source source : sources(region)) {
      link(files, folder, region, source.name());
    }
    return new TestRegion(region, info);
  }

  private static RegionInfo child(RegionInfo parent, byte[] from, byte[] to) {
    return RegionInfoBuilder.newBuilder(parent.getTable())
        .setStartKey(from)
        .setEndKey(to)
        .setRegionId(nextId++)
        .build();
  }

  private static String encoded(TestRegion region) {
    return region.region().getRegionInfo().getEncodedName();
  }

  private static Path folder(TestRegion relative, RegionInfo info) throws IOException {
    Path table = CommonFSUtils.getTableDir(relative.root(), info.getTable());
    FileSystem files = relative.root().getFileSystem(relative.conf());
    HRegionFileSystem made =
        HRegionFileSystem.createRegionOnFileSystem(relative.conf(), files, table, info);
    Path folder = new Path(made.getRegionDir(), relative.folder().getName());
    files.mkdirs(folder);
    return folder;
  }

  /** Closes a region and returns its files. */
  private static List<Source> sources(TestRegion region) throws IOException {
    region.region().flush(true);
    Path folder = region.folder();
    List<Source> sources = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (HStoreFile file : region.store().getStorefiles()) {
      String name = file.getPath().getName();
      names.add(name);
      Optional<Cell> first = file.getFirstKey();
      Optional<Cell> last = file.getLastKey();
      if (first.isPresent() && last.isPresent()) {
        sources.add(new Source(name, first.get(), last.get()));
      }
    }
    region.shut();
    List<String> there = new ArrayList<>();
    for (FileStatus file : folder.getFileSystem(region.conf()).listStatus(folder)) {
      there.add(file.getPath().getName());
    }
    assertThat(there).as("files of a closed region").containsExactlyInAnyOrderElementsOf(names);
    return sources;
  }

  /** A link to a link is written as a link to the original file. */
  private static void link(FileSystem files, Path folder, TestRegion of, String name)
      throws IOException {
    String link = HFileLink.isHFileLink(name)
        ? name
        : HFileLink.createHFileLinkName(of.region().getRegionInfo(), name);
    files.create(new Path(folder, link)).close();
  }
}
