// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.RecoveredLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds memory components from the log entries that recovery finds, one component for each
 * generation.
 *
 * <p>Threads: one thread at a time.
 */
public final class MemoryRebuilder implements RecoveredLog.Visitor {

  private final PublishedSeqno published;
  private final SnapshotRegistry snapshots;
  private final MemoryComponent.Shape shape;
  private final int keyspaceIdEnd;
  private final List<MemoryComponent> components = new ArrayList<>();
  private @Nullable LogGeneration current;
  private int[] locations = new int[1024];
  private long[] seqnos = new long[1024];
  private int count;
  private byte[] key = new byte[64];

  /**
   * Creates a rebuilder of components of a shape, each with the capacity that its entries need.
   *
   * @param keyspaceIdEnd all keyspace ids are below this, because the creation of a keyspace is
   *     durable before the first write to it
   */
  public MemoryRebuilder(
      PublishedSeqno published,
      SnapshotRegistry snapshots,
      MemoryComponent.Shape shape,
      int keyspaceIdEnd) {
    this.published = published;
    this.snapshots = snapshots;
    this.shape = shape;
    this.keyspaceIdEnd = keyspaceIdEnd;
  }

  @Override
  public void generation(LogGeneration generation) {
    buildCurrent();
    current = generation;
  }

  @Override
  public void entry(int location, long seqno) {
    if (count == locations.length) {
      locations = Arrays.copyOf(locations, 2 * count);
      seqnos = Arrays.copyOf(seqnos, 2 * count);
    }
    locations[count] = location;
    seqnos[count++] = seqno;
  }

  /** Returns the components, oldest first. Call it once, after the last entry. */
  public List<MemoryComponent> finish() {
    buildCurrent();
    return List.copyOf(components);
  }

  private void buildCurrent() {
    LogGeneration generation = current;
    if (generation == null) {
      return;
    }
    MemoryComponent component = new MemoryComponent(
        generation, published, snapshots, shape.withCapacity(Math.max(1, count)), null);
    for (int i = 0; i < count; i++) {
      insert(component, generation, locations[i], seqnos[i]);
    }
    components.add(component);
    count = 0;
    current = null;
  }

  private void insert(
      MemoryComponent component, LogGeneration generation, int location, long seqno) {
    ByteBuffer segment = generation.segmentOf(location);
    int offset = RecordLayout.keyOffset(segment, location);
    int length = RecordLayout.keyLength(segment, location, offset);
    if (length > key.length) {
      key = new byte[2 * length];
    }
    int keyspace = KeyspacePrefix.id(segment, offset);
    if (keyspace >= keyspaceIdEnd) {
      throw new CorruptionException(
          generation.file(RecordLayout.inValueLog(location)).name(),
          offset,
          "the key belongs to keyspace " + keyspace + ", which is not in the manifest");
    }
    segment.get(offset, key, 0, length);
    long hash = KeyHash.hash(key, 0, length);
    long reference = component.reference(location, seqno);
    component.insert(component.claim(1), key, length, hash, reference, OlderVersions.Spare.NONE);
  }
}
