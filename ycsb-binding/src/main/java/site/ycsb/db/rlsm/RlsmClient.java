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
 * A YCSB client of an embedded store. Each YCSB table is a keyspace, each record one entry: the key
 * in UTF-8, all fields in one value ({@link RecordCodec}).
 *
 * <p>What the operations mean here, which {@link DB} leaves to the binding:
 *
 * <ul>
 *   <li><b>insert</b> writes the whole record and replaces one that is there, without reading it.
 *   <li><b>update</b> changes the named fields as one atomic step, however many clients update the
 *       same record: read, merge, compare-and-set, again if another client was faster.
 *       {@code NOT_FOUND} if the record is absent. With {@code rlsm.blindupdates=true} an update
 *       that names every field of the workload's schema is written like an insert instead.
 *   <li><b>read</b> is {@code NOT_FOUND} if the record is absent; a field the record lacks is left
 *       out of the result.
 *   <li><b>scan</b> reads up to so many records from the start key on, itself included, in the
 *       order of the keys' unsigned bytes, all as of one moment; fewer at the end of the table is
 *       {@code OK}.
 *   <li><b>delete</b> is {@code OK} whether or not the record was there.
 *   <li>A write has the durability asked for when the call returns {@code OK}. A store that fails
 *       is {@code ERROR}, a key or value outside its limits {@code BAD_REQUEST}, a stored value
 *       that is not a record {@code UNEXPECTED_STATE}; the first failure is logged.
 * </ul>
 *
 * <p>Threads: one thread at a time, as YCSB has it; clients of one directory share one open store.
 */
public final class RlsmClient extends DB {

  private final Map<String, Keyspace> tables = new HashMap<>();
  private @Nullable StoreLease lease;
  private Durability durability = Durability.OS;

  /** The field names of the workload's records if updates of all of them are blind, else empty. */
  private Set<String> schema = Set.of();

  /** A client that is not connected yet; YCSB calls {@link #init}. */
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
  @SuppressWarnings("NonApiType") // YCSB declares it so.
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
      throw new IllegalStateException("the client is used before init() or after cleanup()");
    }
    return held;
  }

  private Keyspace keyspace(String table) {
    StoreLease held = lease();
    return tables.computeIfAbsent(table, held.store()::keyspace);
  }

  /** The iterators' bytes; an iterator is good for one pass, a merge may need several. */
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
