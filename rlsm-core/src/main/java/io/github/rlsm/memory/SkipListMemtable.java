// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.KeyOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A sorted tier as in FloDB, on the JDK's skip list. */
final class SkipListMemtable implements Memtable {

  private static final int NODE_BYTES_ESTIMATE = 72;

  /**
   * An entry with the prefix of its key; or a key to search for, with an entry number that sorts
   * before or after all entries of the key.
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by key, never by array identity
  private record Node(long prefix, int entry, byte @Nullable [] sought) {}

  private final KeySource keys;
  private final ConcurrentSkipListMap<Node, Node> nodes;

  SkipListMemtable(KeySource keys) {
    this.keys = keys;
    this.nodes = new ConcurrentSkipListMap<>(this::compare);
  }

  private int compare(Node a, Node b) {
    if (a.prefix != b.prefix) {
      return Long.compareUnsigned(a.prefix, b.prefix);
    }
    int order;
    if (a.sought != null) {
      order = keys.compare(a.sought, 0, a.sought.length, b.entry);
    } else if (b.sought != null) {
      order = -keys.compare(b.sought, 0, b.sought.length, a.entry);
    } else {
      order = keys.compare(a.entry, b.entry);
    }
    return order != 0 ? order : Integer.compare(a.entry, b.entry);
  }

  @Override
  public void insert(SortedRun batch) {
    for (int i = 0; i < batch.size(); i++) {
      Node node = new Node(batch.keyPrefix(i), batch.entries()[i], null);
      nodes.put(node, node);
    }
  }

  @Override
  public List<Memtable.Sequence> sequences(boolean descending) {
    return List.of(new NodeSequence(descending ? nodes.descendingMap() : nodes, descending));
  }

  @Override
  public Memtable.Sequence inOrder() {
    return new NodeSequence(nodes, false);
  }

  @Override
  public long heapBytes() {
    return (long) nodes.size() * NODE_BYTES_ESTIMATE;
  }

  private static final class NodeSequence implements Memtable.Sequence {

    private final ConcurrentNavigableMap<Node, Node> ordered;
    private final int soughtEntry;
    private Iterator<Node> rest = Collections.emptyIterator();
    private @Nullable Node current;

    NodeSequence(ConcurrentNavigableMap<Node, Node> ordered, boolean descending) {
      this.ordered = ordered;
      this.soughtEntry = descending ? Integer.MAX_VALUE : -1;
    }

    @Override
    public boolean seekFirst() {
      rest = ordered.keySet().iterator();
      return next();
    }

    @Override
    public boolean seek(byte[] key, int offset, int length) {
      byte[] sought = Arrays.copyOfRange(key, offset, offset + length);
      Node bound = new Node(KeyOrder.prefix(sought, 0, length), soughtEntry, sought);
      rest = ordered.tailMap(bound, true).keySet().iterator();
      return next();
    }

    @Override
    public boolean next() {
      current = rest.hasNext() ? rest.next() : null;
      return current != null;
    }

    @Override
    public int entry() {
      return current().entry;
    }

    @Override
    public long keyPrefix() {
      return current().prefix;
    }

    private Node current() {
      if (current == null) {
        throw new IllegalStateException("the sequence is not on an entry; seek first");
      }
      return current;
    }
  }
}
