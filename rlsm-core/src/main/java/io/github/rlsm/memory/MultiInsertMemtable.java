// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.KeyOrder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A skip list with FloDB's multi-insert (section 4.3, algorithm 1). The search for each key of a
 * sorted batch begins at the predecessors of the key before it, so that neighbours share their
 * search paths.
 *
 * <p>As in the paper, nodes are never removed, and levels are linked from the bottom up by
 * compare-and-set. Any number of multi-inserts may run concurrently with each other and with
 * readers.
 */
final class MultiInsertMemtable implements Memtable {

  private static final int LEVELS = 16;
  private static final int NODE_BYTES_ESTIMATE = 56;
  private static final VarHandle NEXT = MethodHandles.arrayElementVarHandle(Node[].class);

  private static final class Node {
    final long prefix;
    final int entry;
    final @Nullable Node[] next;

    Node(long prefix, int entry, int height) {
      this.prefix = prefix;
      this.entry = entry;
      this.next = new Node[height];
    }

    @Nullable
    Node next(int level) {
      return (Node) NEXT.getAcquire(next, level);
    }
  }

  private final KeySource keys;
  private final Node root = new Node(0, -1, LEVELS);
  private long random;
  private final AtomicLong count = new AtomicLong();

  MultiInsertMemtable(KeySource keys, long seed) {
    this.keys = keys;
    this.random = seed | 1;
  }

  @Override
  public void insert(SortedRun batch) {
    Node[] predecessors = new Node[LEVELS];
    Arrays.fill(predecessors, root);
    @Nullable Node[] successors = new Node[LEVELS];
    for (int i = 0; i < batch.size(); i++) {
      Node node = new Node(batch.keyPrefix(i), batch.entries()[i], randomHeight());
      insert(node, predecessors, successors);
    }
    count.addAndGet(batch.size());
  }

  private void insert(Node node, Node[] predecessors, @Nullable Node[] successors) {
    do {
      findFromPredecessors(node, predecessors, successors);
      System.arraycopy(successors, 0, node.next, 0, node.next.length);
    } while (!NEXT.compareAndSet(predecessors[0].next, 0, successors[0], node));
    for (int level = 1; level < node.next.length; level++) {
      while (!NEXT.compareAndSet(predecessors[level].next, level, successors[level], node)) {
        findFromPredecessors(node, predecessors, successors);
        NEXT.setRelease(node.next, level, successors[level]);
      }
    }
  }

  /**
   * Finds, on every level, the last node before {@code node} and the node after it. The search
   * begins at the given predecessors.
   */
  private void findFromPredecessors(Node node, Node[] predecessors, @Nullable Node[] successors) {
    Node at = root;
    for (int level = LEVELS - 1; level >= 0; level--) {
      Node known = predecessors[level];
      if (known != root && (at == root || isBefore(at, known))) {
        at = known;
      }
      Node next = at.next(level);
      while (next != null && next != node && isBefore(next, node)) {
        at = next;
        next = at.next(level);
      }
      predecessors[level] = at;
      successors[level] = next;
    }
  }

  private boolean isBefore(Node a, Node b) {
    if (a.prefix != b.prefix) {
      return Long.compareUnsigned(a.prefix, b.prefix) < 0;
    }
    int order = keys.compare(a.entry, b.entry);
    return order < 0 || (order == 0 && a.entry < b.entry);
  }

  private int randomHeight() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return Math.min(1 + Long.numberOfTrailingZeros(random) / 2, LEVELS);
  }

  /**
   * Returns the last node before the key (or at the key, if {@code orEqual}); the root if there is
   * none.
   */
  private Node last(long prefix, byte[] key, int offset, int length, boolean orEqual) {
    Node at = root;
    for (int level = LEVELS - 1; level >= 0; level--) {
      Node next = at.next(level);
      while (next != null && isBefore(next, prefix, key, offset, length, orEqual)) {
        at = next;
        next = at.next(level);
      }
    }
    return at;
  }

  private boolean isBefore(
      Node node, long prefix, byte[] key, int offset, int length, boolean orEqual) {
    if (node.prefix != prefix) {
      return Long.compareUnsigned(node.prefix, prefix) < 0;
    }
    int order = keys.compare(key, offset, length, node.entry);
    return order > 0 || (orEqual && order == 0);
  }

  private Node lastBefore(Node node) {
    Node at = root;
    for (int level = LEVELS - 1; level >= 0; level--) {
      Node next = at.next(level);
      while (next != null && next != node && isBefore(next, node)) {
        at = next;
        next = at.next(level);
      }
    }
    return at;
  }

  private Node lastOfAll() {
    Node at = root;
    for (int level = LEVELS - 1; level >= 0; level--) {
      for (Node next = at.next(level); next != null; next = at.next(level)) {
        at = next;
      }
    }
    return at;
  }

  @Override
  public List<Memtable.Sequence> sequences(boolean descending) {
    return List.of(new NodeSequence(descending));
  }

  @Override
  public Memtable.Sequence inOrder() {
    return new NodeSequence(false);
  }

  @Override
  public long heapBytes() {
    return count.get() * NODE_BYTES_ESTIMATE;
  }

  /**
   * A sequence over the nodes. A descending step is a search from the top, because nodes have no
   * backward links.
   */
  private final class NodeSequence implements Memtable.Sequence {

    private final boolean descending;
    private Node current = root;

    NodeSequence(boolean descending) {
      this.descending = descending;
    }

    @Override
    public boolean seekFirst() {
      return moveTo(descending ? lastOfAll() : root.next(0));
    }

    @Override
    public boolean seek(byte[] key, int offset, int length) {
      long prefix = KeyOrder.prefix(key, offset, length);
      Node last = last(prefix, key, offset, length, descending);
      return moveTo(descending ? last : last.next(0));
    }

    @Override
    public boolean next() {
      return moveTo(descending ? lastBefore(current) : current.next(0));
    }

    private boolean moveTo(@Nullable Node node) {
      current = node == null ? root : node;
      return current != root;
    }

    @Override
    public int entry() {
      return current.entry;
    }

    @Override
    public long keyPrefix() {
      return current.prefix;
    }
  }
}
