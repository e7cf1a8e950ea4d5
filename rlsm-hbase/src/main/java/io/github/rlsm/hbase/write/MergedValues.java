// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.values.MergedSources;
import io.github.rlsm.hbase.values.MergedSources.Former;
import io.github.rlsm.hbase.write.PartitionedFileWriter.Annex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The metadata of a merged value file: the names of its former files, by which key files continue
 * to find their values, and the bytes of large values.
 *
 * <p>Threads: any; immutable.
 */
public final class MergedValues implements Annex {

  private final MergedSources former;
  private final long bytes;

  private MergedValues(MergedSources former, long bytes) {
    this.former = former;
    this.bytes = bytes;
  }

  /** Creates the metadata for a merge of value files. */
  public static MergedValues of(Collection<HStoreFile> files) {
    List<Former> former = new ArrayList<>();
    long bytes = 0;
    for (HStoreFile file : files) {
      PartitionedStoreFile own = (PartitionedStoreFile) file;
      List<Former> parts = own.parts();
      former.addAll(parts);
      if (parts.stream().noneMatch(part -> part.name().equals(own.name()))) {
        former.add(new Former(own.name(), null));
      }
      bytes += own.largeValueBytes();
    }
    return new MergedValues(new MergedSources(former), bytes);
  }

  @Override
  public void close(StoreFileWriter writer, KeyRange tile) throws IOException {
    writer.appendFileInfo(StoreFileSet.FORMER_KEY, former.encode());
    writer.appendFileInfo(StoreFileSet.LARGE_VALUES_KEY, Bytes.toBytes(bytes));
  }
}
