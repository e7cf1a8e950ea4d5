// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.layout.RowFilter;
import io.github.rlsm.hbase.values.FormerFiles;
import io.github.rlsm.hbase.values.FormerFiles.Former;
import io.github.rlsm.hbase.values.KeyFileMark;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.BloomFilterMetrics;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A store file whose scanners do not read it before they have to, and whose row filter can leave
 * memory while it is open. It may be a key file: then its scanners read the values of its shadows
 * from value files, and these stay open while it is read.
 *
 * <p>Threads: as HBase's.
 */
public final class PartitionedStoreFile extends HStoreFile {

  private final Configuration conf;
  private final NamedPath path;
  private Optional<RowFilter> opened = Optional.empty();
  private boolean hasOwnRows;
  private OptionalLong bulkLoadTimestamp = OptionalLong.empty();
  private Optional<KeyFileMark> mark = Optional.empty();
  private Optional<FormerFiles> former = Optional.empty();
  private final Set<ValueSources> readFrom = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ValueSources values;

  /** A file that is not open yet. */
  public PartitionedStoreFile(
      StoreFileInfo info,
      BloomType bloomType,
      CacheConfig cacheConf,
      BloomFilterMetrics metrics,
      Configuration conf) {
    super(info, bloomType, cacheConf, metrics);
    this.conf = conf;
    this.path = new NamedPath(super.getPath());
  }

  /**
   * A path that knows its name. HBase sorts a store's files for every scan, by age, size, time of
   * bulk load and name; the many files of one compaction are as old as each other, and often as
   * large.
   */
  private static final class NamedPath extends Path {
    private static final long serialVersionUID = 1;

    private final String name;

    NamedPath(Path path) {
      super(path.toUri());
      this.name = path.getName();
    }

    @Override
    public String getName() {
      return name;
    }
  }

  @Override
  public Path getPath() {
    return path;
  }

  @Override
  public OptionalLong getBulkLoadTimestamp() {
    return bulkLoadTimestamp;
  }

  /**
   * Opens the file, and takes its row filter out of what HBase keeps of it as long as it is open.
   * That of a link or of half a file stays there: it would have to be looked for elsewhere. Before
   * anybody else knows of the file.
   */
  public void open() throws IOException {
    initReader();
    bulkLoadTimestamp = super.getBulkLoadTimestamp();
    StoreFileInfo info = getFileInfo();
    if (!info.isLink() && !info.isReference()) {
      byte[] bytes = getReader().getHFileReader().getHFileInfo().remove(StoreFileSet.ROWS_KEY);
      opened = RowFilter.decode(bytes);
      hasOwnRows = opened.isPresent();
    }
    if (!info.isReference() && !getReader().isBulkLoaded()) {
      former = FormerFiles.decode(getMetadataValue(StoreFileSet.FORMER_KEY));
      if (getReader().getHFileReader().getFileContext().isIncludesTags()) {
        mark = KeyFileMark.decode(getMetadataValue(StoreFileSet.VALUES_KEY));
      }
    }
  }

  /**
   * What it says of value files; empty if it is not a key file. Half of a key file is none: the
   * values may be in the other region. Nor is one that was loaded, since its value files have other
   * names now.
   */
  public Optional<KeyFileMark> mark() {
    return mark;
  }

  /** The name HBase gave the file when it was written, which links keep. */
  public String name() {
    String name = path.getName();
    return name.substring(name.lastIndexOf('-') + 1);
  }

  /** The files it consists of: itself, or those it was merged of if it is a value file that was. */
  public List<Former> parts() {
    return former
        .map(FormerFiles::files)
        .orElseGet(() -> List.of(new Former(name(), ValueFiles.span(this))));
  }

  /** The names by which key files know it: its own, and those of the files it was merged of. */
  public Set<String> names() {
    Set<String> names = new HashSet<>();
    names.add(name());
    parts().forEach(part -> names.add(part.name()));
    return names;
  }

  /** Bytes of large values that were written to it; its size if it does not say. */
  public long largeValueBytes() {
    byte[] bytes = getMetadataValue(StoreFileSet.LARGE_VALUES_KEY);
    return bytes != null && bytes.length == Long.BYTES
        ? Math.max(0, Bytes.toLong(bytes))
        : Math.max(0, FileAge.bytes(this));
  }

  /** Says where the values of its shadows are, in the order of its mark. Before it is scanned. */
  void readValuesFrom(List<PartitionedStoreFile> files) {
    ValueSources before = values;
    if (before != null && before.files().equals(files)) {
      return;
    }
    ValueSources now = new ValueSources(files);
    for (PartitionedStoreFile file : files) {
      file.readFrom.removeIf(ValueSources::isOver);
      file.readFrom.add(now);
    }
    values = now;
    if (before != null) {
      before.replace();
    }
  }

  /**
   * The sources of its values, for a scanner that will end; null if it is not a key file. They may
   * be replaced between the look at them and the count of the scanner, by which value files that
   * are compacted away are kept.
   */
  private @Nullable ValueSources begin() {
    ValueSources now = values;
    while (now != null) {
      now.begin();
      ValueSources after = values;
      if (after == now) {
        return now;
      }
      now.end();
      now = after;
    }
    return null;
  }

  /** A value file is read as long as a scanner of a key file is whose shadows name it. */
  @Override
  public boolean isReferencedInReads() {
    return super.isReferencedInReads() || readFrom.stream().anyMatch(ValueSources::isRead);
  }

  /** Whether it has a filter that can leave memory and come back. */
  boolean hasOwnRows() {
    return hasOwnRows;
  }

  /** Its row filter, for as long as it is one of a store's files. */
  CachedRows rows(FilterBudget budget) {
    CachedRows rows = new CachedRows(budget, this::readRows);
    opened.ifPresent(filter -> budget.add(rows, filter));
    opened = Optional.empty();
    return rows;
  }

  private Optional<RowFilter> readRows() throws IOException {
    FileSystem files = path.getFileSystem(conf);
    try (HFile.Reader reader = HFile.createReader(files, path, CacheConfig.DISABLED, true, conf)) {
      return RowFilter.decode(reader.getHFileInfo().get(StoreFileSet.ROWS_KEY));
    }
  }

  /**
   * Other readers, of a half of a file or from a coprocessor, make their own scanners. So does that
   * of a bulk-loaded file, whose cells get their sequence id from the scanner.
   */
  @Override
  public StoreFileScanner getPreadScanner(
      boolean cacheBlocks, long readPt, long scannerOrder, boolean canOptimizeForNonNullColumn) {
    StoreFileReader reader = getReader();
    Cell first = getFirstKey().orElse(null);
    ValueSources sources = first == null ? null : begin();
    if (sources != null && first != null) {
      return new ShadowScanner(
          this,
          sources,
          file -> file.preadScanner(cacheBlocks),
          reader.getHFileReader().getScanner(conf, cacheBlocks, true, false),
          first,
          readPt,
          scannerOrder);
    }
    if (first == null || reader.getClass() != StoreFileReader.class || reader.isBulkLoaded()) {
      return super.getPreadScanner(cacheBlocks, readPt, scannerOrder, canOptimizeForNonNullColumn);
    }
    HFileScanner blocks = reader.getHFileReader().getScanner(conf, cacheBlocks, true, false);
    return new LateFileScanner(
        reader, blocks, first, readPt, scannerOrder, canOptimizeForNonNullColumn);
  }

  /**
   * A key file has no reader of its own for a long scan or a compaction: it is small, and the
   * shared one reads by position.
   */
  @Override
  public StoreFileScanner getStreamScanner(
      boolean canUseDropBehind,
      boolean cacheBlocks,
      boolean isCompaction,
      long readPt,
      long scannerOrder,
      boolean canOptimizeForNonNullColumn)
      throws IOException {
    Cell first = getFirstKey().orElse(null);
    ValueSources sources = first == null ? null : begin();
    if (sources == null || first == null) {
      return super.getStreamScanner(
          canUseDropBehind,
          cacheBlocks,
          isCompaction,
          readPt,
          scannerOrder,
          canOptimizeForNonNullColumn);
    }
    return new ShadowScanner(
        this,
        sources,
        file ->
            isCompaction ? file.streamScanner(canUseDropBehind) : file.preadScanner(cacheBlocks),
        getReader().getHFileReader().getScanner(conf, cacheBlocks, true, isCompaction),
        isCompaction ? null : first,
        readPt,
        scannerOrder);
  }

  private StoreFileScanner preadScanner(boolean cacheBlocks) {
    return super.getPreadScanner(cacheBlocks, Long.MAX_VALUE, 0, false);
  }

  private StoreFileScanner streamScanner(boolean canUseDropBehind) throws IOException {
    return super.getStreamScanner(canUseDropBehind, false, true, Long.MAX_VALUE, 0, false);
  }
}
