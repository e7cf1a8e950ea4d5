// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;

/**
 * An {@link AppendFile} of a simulated directory.
 *
 * <p>Threads: one thread at a time, as the interface requires.
 */
final class SimulatedAppendFile extends SimulatedHandle implements AppendFile {

  SimulatedAppendFile(SimulatedDirectory directory, String name, SimulatedFile file) {
    super(directory, name, file, "appending");
  }

  @Override
  public long length() {
    return directory.atomically(file::length);
  }

  @Override
  public void append(ByteBuffer bytes) {
    perform(
        IoEvent.Kind.APPEND,
        () -> {
          int room = directory.room(bytes.remaining());
          boolean fits = room == bytes.remaining();
          file.append(bytes, room);
          if (!fits) {
            throw IoEvents.failure(Fault.NO_SPACE, IoEvent.Kind.APPEND, name());
          }
        },
        () -> file.append(bytes, directory.room(bytes.remaining() / 2)));
  }

  @Override
  public void force() {
    perform(IoEvent.Kind.FORCE, file::forceAll, () -> file.failForce(0, file.length()));
  }

  @Override
  public void forget(long bytes) {
    directory.pageCache().forget(name());
  }

  @Override
  void release() {}
}
