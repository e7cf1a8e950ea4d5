// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.workloads.CoreWorkload;

/**
 * A YCSB client of an embedded store. Each YCSB table is a keyspace. Each record is one entry, with
 * the key in UTF-8 and all fields in one value ({@link RecordCodec}).
 *
 * <p>{@link DB} leaves the meaning of the operations to the binding:
 *
 * <ul>
 *   <li><b>insert</b> writes the whole record. It replaces an existing record without reading it.
 *   <li><b>update</b> changes the named fields as one atomic step, for any number of clients: read,
 *       merge, compare-and-set, and a retry if another client was faster. It is {@code NOT_FOUND}
 *       if the record is absent. With {@code rlsm.blindupdates=true}, an update of every field of
 *       the workload's schema is written like an insert instead.
 *   <li><b>read</b> is {@code NOT_FOUND} if the record is absent. The result omits fields that the
 *       record lacks.
 *   <li><b>scan</b> reads up to the given number of records from the start key on, inclusive, in
 *       the order of the keys' unsigned bytes, from one snapshot. Fewer records at the end of the
 *       table are {@code OK}.
 *   <li><b>delete</b> is {@code OK} for present and absent records.
 *   <li>When a write returns {@code OK}, it has the requested durability. A failing store is
 *       {@code ERROR}, a key or value outside its limits {@code BAD_REQUEST}, and a stored value
 *       that is not a record {@code UNEXPECTED_STATE}. The first failure is logged.
 * </ul>
 *
 * <p>Threads: one thread at a time, as in YCSB. Clients of one directory share one open store.
 */
public final class RlsmClient extends DB {

  private final Map<String, Keyspace> tables = new HashMap<>();
  private @Nullable StoreLease lease;
  private Durability durability = Durability.OS;

  /** The field names of the workload's records with blind updates, else empty. */
  private Set<String> schema = Set.of();

  /** Creates a client that is not connected. YCSB calls {@link #init}. */
  public RlsmClient() {}

  @Override
  public void init() throws DBException {
    ClientSettings settings = ClientSettings.from(getProperties());
    StoreLease acquired;
    try {
      acquired = StoreLease.acquire(settings);
    } catch (KvException e) {
      throw new DBException(e.getMessage(), e);
    }
    lease = acquired;
    durability = settings.durability() != null
        ? settings.durability()
        : acquired.store().defaultDurability();
    schema = settings.blindUpdates() ? schema(getProperties()) : Set.of();
  }

  @Override
  public void cleanup() throws DBException {
    StoreLease held = lease;
    lease = null;
    tables.clear();
    if (held != null) {
      try {
        held.close();
      } catch (KvException e) {
        throw new DBException(e.getMessage(), e);
      }
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return run("read", key, () -> {
      byte[] record = keyspace(table).get(key.getBytes(UTF_8));
      if (record == null) {
        return Status.NOT_FOUND;
      }
      RecordCodec.decode(record, fields, result);
      return Status.OK;
    });
  }

  @Override
  @SuppressWarnings("NonApiType") // the signature is YCSB's
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return run("scan", startkey, () -> {
      ScanOptions options = ScanOptions.builder()
          .from(startkey.getBytes(UTF_8))
          .limit(recordcount)
          .build();
      try (KvIterator records = keyspace(table).scan(options)) {
        while (records.next()) {
          HashMap<String, ByteIterator> values = new HashMap<>();
          RecordCodec.decode(records.value(), fields, values);
          result.add(values);
        }
      }
      return Status.OK;
    });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    if (!schema.isEmpty() && values.keySet().equals(schema)) {
      return insert(table, key, values);
    }
    return run("update", key, () -> {
      Keyspace keyspace = keyspace(table);
      byte[] keyBytes = key.getBytes(UTF_8);
      Map<String, byte[]> changes = consume(values);
      while (true) {
        byte[] current = keyspace.get(keyBytes);
        if (current == null) {
          return Status.NOT_FOUND;
        }
        byte[] merged = RecordCodec.merge(current, changes);
        if (keyspace.compareAndSet(keyBytes, current, merged, durability)) {
          return Status.OK;
        }
      }
    });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return run("insert", key, () -> {
      keyspace(table).put(key.getBytes(UTF_8), RecordCodec.encode(consume(values)), durability);
      return Status.OK;
    });
  }

  @Override
  public Status delete(String table, String key) {
    return run("delete", key, () -> {
      keyspace(table).delete(key.getBytes(UTF_8), durability);
      return Status.OK;
    });
  }

  /** The part of an operation that may fail. */
  private interface Operation {
    Status run() throws MalformedRecordException;
  }

  private Status run(String verb, String key, Operation operation) {
    try {
      return operation.run();
    } catch (InvalidEntryException e) {
      return failed(verb, key, e, Status.BAD_REQUEST);
    } catch (KvException e) {
      return failed(verb, key, e, Status.ERROR);
    } catch (MalformedRecordException e) {
      return failed(verb, key, e, Status.UNEXPECTED_STATE);
    }
  }

  private Status failed(String verb, String key, Exception failure, Status status) {
    lease().reportFailure(verb + " of " + key, failure);
    return status;
  }

  private StoreLease lease() {
    StoreLease held = lease;
    if (held == null) {
      throw new IllegalStateException("the client was called before init() or after cleanup()");
    }
    return held;
  }

  private Keyspace keyspace(String table) {
    StoreLease held = lease();
    return tables.computeIfAbsent(table, held.store()::keyspace);
  }

  /** The iterators' bytes. An iterator allows one pass only, and a merge may need several. */
  private static Map<String, byte[]> consume(Map<String, ByteIterator> values) {
    Map<String, byte[]> consumed = new HashMap<>(2 * values.size());
    values.forEach((name, value) -> consumed.put(name, value.toArray()));
    return consumed;
  }

  private static Set<String> schema(Properties properties) throws DBException {
    String count = properties.getProperty(
        CoreWorkload.FIELD_COUNT_PROPERTY, CoreWorkload.FIELD_COUNT_PROPERTY_DEFAULT);
    String prefix = properties.getProperty(
        CoreWorkload.FIELD_NAME_PREFIX, CoreWorkload.FIELD_NAME_PREFIX_DEFAULT);
    Set<String> names = new HashSet<>();
    try {
      for (int i = 0; i < Integer.parseInt(count); i++) {
        names.add(prefix + i);
      }
    } catch (NumberFormatException e) {
      throw new DBException(CoreWorkload.FIELD_COUNT_PROPERTY + " is not a number: " + count, e);
    }
    return names;
  }
}
