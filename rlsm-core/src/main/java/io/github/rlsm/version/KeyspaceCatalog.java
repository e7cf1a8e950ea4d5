// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.KeyspacePrefix;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The named keyspaces and their ids. Immutable.
 *
 * <p>An id is never assigned twice, even after its keyspace is dropped. So an entry whose id is not
 * in the catalog belongs to a dropped keyspace and is dead, on disk and in the log.
 */
public final class KeyspaceCatalog {

  /** The id of the store's default keyspace, which has no name and cannot be dropped. */
  public static final int DEFAULT_ID = 0;

  /** The catalog without named keyspaces. */
  public static final KeyspaceCatalog EMPTY = new KeyspaceCatalog(new TreeMap<>(), DEFAULT_ID + 1);

  private final SortedMap<Integer, String> names;
  private final int nextId;

  /** Whether no keyspace was ever dropped. */
  private final boolean allLive;

  private KeyspaceCatalog(SortedMap<Integer, String> names, int nextId) {
    this.names = names;
    this.nextId = nextId;
    this.allLive = nextId == names.size() + 1;
  }

  /** The names by id, without the default keyspace; unmodifiable. */
  public SortedMap<Integer, String> names() {
    return Collections.unmodifiableSortedMap(names);
  }

  /** The id of the keyspace with this name; empty if there is none. */
  public OptionalInt id(String name) {
    return names.entrySet().stream()
        .filter(keyspace -> keyspace.getValue().equals(name))
        .mapToInt(Map.Entry::getKey)
        .findAny();
  }

  /** Whether the keyspace with this id exists, so that its entries are live. */
  public boolean isLive(int id) {
    return id == DEFAULT_ID || names.containsKey(id);
  }

  /**
   * Whether the keyspace of an entry exists. Entries of dropped keyspaces are not written to new
   * tables. A job uses the keyspaces at its start. Entries of a keyspace dropped later may still be
   * written; the next rewrite drops them.
   */
  public boolean isLive(CursorEntry entry) {
    return allLive || isLive(KeyspacePrefix.id(entry.buffer(), entry.keyOffset()));
  }

  /** The lowest id that was never assigned. */
  public int nextId() {
    return nextId;
  }

  KeyspaceCatalog with(int id, String name) {
    if (id < nextId || id == Integer.MAX_VALUE) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "keyspace id %d cannot be used; the next is %d", id, nextId));
    }
    if (id(name).isPresent()) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "keyspace \"%s\" exists already", name));
    }
    SortedMap<Integer, String> more = new TreeMap<>(names);
    more.put(id, name);
    return new KeyspaceCatalog(more, id + 1);
  }

  KeyspaceCatalog without(int id) {
    SortedMap<Integer, String> fewer = new TreeMap<>(names);
    if (fewer.remove(id) == null) {
      throw new IllegalStateException("no keyspace has id " + id);
    }
    return new KeyspaceCatalog(fewer, nextId);
  }

  KeyspaceCatalog withNextId(int id) {
    return new KeyspaceCatalog(names, Math.max(nextId, id));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyspaceCatalog catalog
        && names.equals(catalog.names)
        && nextId == catalog.nextId;
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  @Override
  public String toString() {
    return names + ", next id " + nextId;
  }
}
