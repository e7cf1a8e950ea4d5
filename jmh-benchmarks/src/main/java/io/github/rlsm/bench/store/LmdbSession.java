// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.nio.ByteBuffer;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/**
 * One client of LMDB. Resets its read transaction and cursor after each read and renews them for
 * the next read, as LMDB advises. New ones would cost more, and an open transaction prevents the
 * reuse of freed pages.
 *
 * <p>Threads: one thread at a time.
 */
final class LmdbSession implements Session {

  private final Env<ByteBuffer> environment;
  private final Dbi<ByteBuffer> database;
  private final Txn<ByteBuffer> reader;
  private final Cursor<ByteBuffer> cursor;

  LmdbSession(Env<ByteBuffer> environment, Dbi<ByteBuffer> database) {
    this.environment = environment;
    this.database = database;
    this.reader = environment.txnRead();
    this.cursor = database.openCursor(reader);
    reader.reset();
  }

  @Override
  public void put(ByteBuffer key, ByteBuffer value) {
    try (Txn<ByteBuffer> writer = environment.txnWrite()) {
      database.put(writer, key, value);
      writer.commit();
    }
  }

  @Override
  public boolean get(ByteBuffer key, ByteBuffer value) {
    reader.renew();
    try {
      ByteBuffer found = database.get(reader, key);
      if (found == null) {
        return false;
      }
      value.clear().put(found).flip();
      return true;
    } finally {
      reader.reset();
    }
  }

  @Override
  public void delete(ByteBuffer key) {
    try (Txn<ByteBuffer> writer = environment.txnWrite()) {
      database.delete(writer, key);
      writer.commit();
    }
  }

  @Override
  public int scan(ByteBuffer from, int limit, EntryVisitor visitor) {
    reader.renew();
    try {
      cursor.renew(reader);
      int visited = 0;
      boolean more = cursor.get(from, GetOp.MDB_SET_RANGE);
      while (more) {
        visitor.entry(cursor.key(), cursor.val());
        visited++;
        more = visited < limit && cursor.next();
      }
      return visited;
    } finally {
      reader.reset();
    }
  }

  @Override
  public void close() {
    // A transaction that is closed while reset would keep its slot in the reader table.
    reader.renew();
    cursor.close();
    reader.close();
  }
}
