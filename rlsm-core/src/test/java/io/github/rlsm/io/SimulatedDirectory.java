// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link StoreDirectory} in memory that can lose power, fail, run full and rot.
 *
 * <p>It distinguishes <em>live</em> bytes and names, which processes see, from <em>safe</em> ones,
 * which survive a power loss. The methods {@link #crash} and {@link #kill} end the directory and
 * all its open files, and return a new directory with the survivors. While {@link #afterCrash} and
 * {@link #afterKill} return the same, they keep this directory alive. So one run of a workload,
 * observed through {@link #onEvent}, visits all its crash points. All random choices depend on seed
 * and state.
 *
 * <p>Calls are numbered from 0. {@link #failAt} makes one of them fail, or all from there on.
 * Stores into mapped memory are not calls.
 *
 * <p>It keeps only what the interface promises. A force of a file makes no name safe, a force of
 * the directory no byte, and a force of a range no other byte. A failed force has the same effect
 * as on Linux: processes see the bytes and names, but no later force writes them and no crash keeps
 * them.
 *
 * <p>Threads: safe. The observer runs in the thread that makes the call, one at a time, and must
 * not wait for other users of the directory.
 */
public final class SimulatedDirectory implements StoreDirectory {

  private static final String PATH = "simulated";
  private static final long UNLIMITED = Long.MAX_VALUE;
  private static final int PAGE_BYTES = 4096;

  private final IoEvents events = new IoEvents();

  // Guarded by the monitor.
  private SimulatedNames names;
  private SimulatedDisks disks = new SimulatedDisks();
  private final Set<SimulatedHandle> handles = Collections.newSetFromMap(new IdentityHashMap<>());
  private long capacityBytes = UNLIMITED;
  private int holeBytes = PAGE_BYTES;
  private long mappingsMax = UNLIMITED;
  private long memoryBytes = UNLIMITED;
  private @Nullable StoreIoException syncFailure;
  boolean locked;
  private boolean dead;

  private final SimulatedPageCache pageCache = new SimulatedPageCache();

  /** Creates an empty directory. */
  public SimulatedDirectory() {
    this(new SimulatedNames());
  }

  private SimulatedDirectory(SimulatedNames names) {
    this.names = names;
  }

  // Operations of tests.

  /**
   * Calls the observer before and after every call. Calls by the observer itself are not observed.
   */
  public void onEvent(Consumer<IoEvent> observer) {
    events.observe(observer);
  }

  /** The number of calls so far, which is the index of the next call. */
  public long eventCount() {
    return events.count();
  }

  /**
   * Makes a call fail. Replaces an earlier plan.
   *
   * @param index number of the call
   * @param forever whether all later calls that the fault can hit fail, too
   */
  public void failAt(long index, Fault fault, boolean forever) {
    events.failAt(index, fault, forever);
  }

  /** Makes calls fail that match a predicate and that the fault can hit, until {@link #mend}. */
  public void failWhen(Predicate<IoEvent> which, Fault fault) {
    events.failWhen(which, fault);
  }

  /** Ends all injected failures. Files that have failed stay failed. */
  public void mend() {
    events.mend();
  }

  /** Adds the kinds of all further calls to a list. */
  public void recordCalls(List<IoEvent.Kind> kinds) {
    events.record(kinds);
  }

  /** Whether a failure planned with {@link #failAt} has happened. */
  public boolean hasFailed() {
    return events.hasFailed();
  }

  /**
   * Limits the sum of the files' lengths. Deleted files count until they are closed. Survivors of a
   * crash have the same limit.
   */
  public synchronized void capacity(long bytes) {
    capacityBytes = bytes;
  }

  /** Sets the unit of holes, so that small values can create some. Survivors have it too. */
  public synchronized void holeBytes(int bytes) {
    holeBytes = bytes;
  }

  /** Sets the memory of the process, which is not enforced. Survivors have it too. */
  public synchronized void memoryBytes(long bytes) {
    memoryBytes = bytes;
  }

  /** Sets the limit on files mapped for reading, which is not enforced. */
  public synchronized void mappingsMax(long files) {
    mappingsMax = files;
  }

  /** The number of files mapped for reading. */
  public synchronized long mappedReadOnly() {
    return handles.stream()
        .filter(handle -> handle.toString().contains("read-only"))
        .count();
  }

  /** Which files are in memory. */
  public SimulatedPageCache pageCache() {
    return pageCache;
  }

  /** Cuts the power: as {@link #afterCrash}, and this directory and its files throw from now on. */
  public synchronized SimulatedDirectory crash(CrashStyle style, long seed) {
    SimulatedDirectory survivor = afterCrash(style, seed);
    die();
    return survivor;
  }

  /**
   * Returns the survivors of a power loss now, or at the death of this directory: only safe data.
   *
   * @param seed of all random choices
   */
  public synchronized SimulatedDirectory afterCrash(CrashStyle style, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDirectory survivor = survivor(names.afterCrash(style, random));
    survivor.disks = disks.afterCrash(style, random);
    return survivor;
  }

  /**
   * Kills the process: as {@link #afterKill}, and this directory and its files throw from now on.
   */
  public synchronized SimulatedDirectory kill() {
    SimulatedDirectory survivor = afterKill();
    die();
    return survivor;
  }

  /** Returns the survivors of a kill now: all live data. Unsafe data stays unsafe. */
  public synchronized SimulatedDirectory afterKill() {
    SimulatedDirectory survivor = survivor(names.copy());
    survivor.disks = disks.copy();
    return survivor;
  }

  /**
   * The state after a kill in the middle of stores into mapped memory. Any of the 8-byte words that
   * were stored after an earlier copy may be missing. No call may lie in between.
   */
  public synchronized SimulatedDirectory afterKillSince(SimulatedDirectory earlier, long seed) {
    SimulatedDirectory survivor = afterKill();
    survivor.names.takeBack(earlier.names, new SplittableRandom(seed));
    return survivor;
  }

  private SimulatedDirectory survivor(SimulatedNames left) {
    SimulatedDirectory survivor = new SimulatedDirectory(left);
    survivor.capacityBytes = capacityBytes;
    survivor.holeBytes = holeBytes;
    survivor.memoryBytes = memoryBytes;
    return survivor;
  }

  private void die() {
    if (!dead) {
      names = names.copy(); // out of reach of threads that still store into mapped memory
      dead = true;
    }
  }

  /** The bytes of a file. */
  public synchronized byte[] bytes(String name) {
    return file("read", name).bytes();
  }

  /** Flips a bit of a file, counted from the lowest bit of the first byte. Open mappings see it. */
  public synchronized void flipBit(String name, long bitIndex) {
    file("damage", name).flipBit(bitIndex);
  }

  /** Cuts a file, or extends it by zeros. Open files keep the old bytes. */
  public synchronized void truncate(String name, int length) {
    replace(name, Arrays.copyOf(bytes(name), length));
  }

  /** Puts a file of safe bytes under a new or existing name. Open files keep the old bytes. */
  public synchronized void replace(String name, byte[] bytes) {
    names.replace(name, SimulatedFile.ofSafe(bytes));
  }

  /** Gives a file a second name, as a hard link does. */
  public synchronized void link(String from, String to) {
    link(to, file("link", from));
  }

  /** Simulates a failed write-back of all unsafe data by the kernel. */
  public synchronized void failWriteBack() {
    names.files().forEach(file -> file.failForce(0, file.length()));
  }

  /** Drops some of the pages that failed forces left in memory: they have the old content again. */
  public synchronized void dropLostPages(RandomGenerator random) {
    names.files().forEach(file -> file.dropLostPages(random));
  }

  /** Adds a device of zeros. */
  public synchronized void addDevice(String path, int blocks) {
    disks.add(path, blocks);
  }

  /** Removes a device. */
  public synchronized void removeDevice(String path) {
    disks.remove(path);
  }

  /** The bytes of a device. Changes to the array change the device. */
  public synchronized byte[] deviceBytes(String path) {
    return disks.find(path).bytes;
  }

  /** The open files and the lock, for a check that nothing leaks. */
  public synchronized List<String> openHandles() {
    return handles.stream().map(SimulatedHandle::toString).sorted().toList();
  }

  // Operations of engines.

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public List<String> list() {
    return perform(IoEvent.Kind.LIST, PATH, () -> names.names());
  }

  @Override
  public boolean exists(String name) {
    return perform(IoEvent.Kind.LOOK_UP, name, () -> names.find(name) != null);
  }

  @Override
  public long size(String name) {
    return perform(IoEvent.Kind.LOOK_UP, name, () -> file("look up", name).length());
  }

  @Override
  public long usedBytes() {
    return perform(IoEvent.Kind.LIST, PATH, () -> {
      long bytes = 0;
      for (SimulatedFile file : names.files()) {
        bytes += file.usedBytes();
      }
      return bytes;
    });
  }

  @Override
  public long usedBytes(String name) {
    return perform(IoEvent.Kind.LOOK_UP, name, () -> file("look up", name).usedBytes());
  }

  @Override
  public synchronized boolean isLinked(String name) {
    SimulatedFile file = names.find(name);
    return file == null || hasOtherName(file);
  }

  synchronized boolean hasOtherName(SimulatedFile file) {
    return names.countOf(file) > 1;
  }

  @Override
  public synchronized int holeBytes() {
    return holeBytes;
  }

  @Override
  public boolean punch(String name, long[] ranges) {
    return perform(IoEvent.Kind.PUNCH, name, () -> {
      SimulatedFile file = file("punch holes into", name);
      if (hasOtherName(file)) {
        return false;
      }
      file.punch(ranges, holeBytes);
      return true;
    });
  }

  @Override
  public long freeBytes() {
    return perform(IoEvent.Kind.LOOK_UP, PATH, () -> capacityBytes - filesAndHandlesBytes());
  }

  @Override
  public long freeMemoryBytes() {
    return pageCache().freeBytes();
  }

  @Override
  public synchronized long memoryBytes() {
    return memoryBytes;
  }

  @Override
  public synchronized long mappingsMax() {
    return mappingsMax;
  }

  @Override
  public synchronized long mappingsLeft() {
    return mappingsMax - mappedReadOnly();
  }

  @Override
  public AppendFile create(String name) {
    return perform(IoEvent.Kind.CREATE, name, () -> {
      SimulatedFile file = link(name, SimulatedFile.empty());
      return opened(new SimulatedAppendFile(this, name, file));
    });
  }

  @Override
  public AppendFile openAppend(String name) {
    return perform(
        IoEvent.Kind.OPEN_APPEND,
        name,
        () -> opened(new SimulatedAppendFile(this, name, file("open", name))));
  }

  @Override
  public MappedFile createMapped(String name, int length) {
    if (length <= 0 || length > MAPPED_BYTES_MAX) {
      throw new IllegalArgumentException("cannot map a file of " + length + " bytes");
    }
    return perform(IoEvent.Kind.CREATE_MAPPED, name, () -> {
      if (room(length) < length) {
        throw IoEvents.failure(Fault.NO_SPACE, IoEvent.Kind.CREATE_MAPPED, name);
      }
      SimulatedFile file = link(name, SimulatedFile.ofZeros(length));
      return opened(new SimulatedMappedFile(this, name, file, true));
    });
  }

  @Override
  public MappedFile openMapped(String name) {
    return perform(
        IoEvent.Kind.OPEN_MAPPED,
        name,
        () -> opened(new SimulatedMappedFile(this, name, file("map", name), true)));
  }

  @Override
  public MappedFile openReadOnly(String name) {
    return perform(
        IoEvent.Kind.OPEN_READ_ONLY,
        name,
        () -> opened(new SimulatedMappedFile(this, name, file("map", name), false)));
  }

  @Override
  public void rename(String from, String to) {
    perform(IoEvent.Kind.RENAME, from, () -> {
      checkName(to);
      names.rename(from, to, file("rename", from));
      return true;
    });
  }

  @Override
  public void delete(String name) {
    perform(IoEvent.Kind.DELETE, name, () -> {
      names.remove(name, file("delete", name));
      return true;
    });
  }

  /** Cuts the file first, in a separate call, as the real directory does with long files. */
  @Override
  public void deleteClosed(String name) {
    perform(IoEvent.Kind.TRUNCATE, name, () -> {
      SimulatedFile file = file("truncate", name);
      if (!hasOtherName(file)) {
        file.cut(file.length() / 2);
      }
      return true;
    });
    delete(name);
  }

  @Override
  public void syncDirectory() {
    try {
      perform(
          IoEvent.Kind.SYNC_DIRECTORY,
          PATH,
          () -> {
            StoreIoException first = syncFailure;
            if (first != null) {
              throw new StoreIoException("use after a failure", PATH, first);
            }
            names.force();
            return true;
          },
          () -> names.failForce());
    } catch (ResourceExhaustedException e) {
      throw e; // it could not be opened, and no name was forced
    } catch (StoreIoException e) {
      atomically(() -> syncFailure = syncFailure == null ? e : syncFailure);
      throw e;
    }
  }

  @Override
  public BlockDevice openDevice(String path) {
    return perform(IoEvent.Kind.OPEN_DEVICE, path, () -> {
      SimulatedDisk disk = disks.take(path);
      return opened(new SimulatedDevice(this, path, disk));
    });
  }

  void deviceClosed(String device) {
    disks.giveBack(device);
  }

  @Override
  public StoreDirectory.Lock lock() {
    return perform(IoEvent.Kind.LOCK, StoreFileName.LOCK, () -> {
      if (locked) {
        throw new StoreLockedException(PATH, "another store of this process");
      }
      SimulatedFile file = names.find(StoreFileName.LOCK);
      if (file == null) {
        file = link(StoreFileName.LOCK, SimulatedFile.empty());
        byte[] owner = "process 1\n".getBytes(StandardCharsets.US_ASCII);
        file.append(ByteBuffer.wrap(owner), owner.length);
      }
      locked = true;
      return opened(new SimulatedLock(this, file));
    });
  }

  /** Clears the failure, because the next user opens the directory again and has seen none. */
  @Override
  public synchronized void close() {
    syncFailure = null;
  }

  // Operations of files.

  /**
   * Executes a call: reports it to the observer, and fails it if a failure is planned.
   *
   * @param half the effect of a planned failure
   */
  <T> T perform(IoEvent.Kind kind, String file, Supplier<T> whole, Runnable half) {
    IoEvent event = events.begin(kind, file);
    Fault fault = events.faultOf(event);
    if (fault != null) {
      atomically(() -> {
        checkAlive(kind.toString(), file);
        if (fault == Fault.IO_ERROR_AFTER) {
          discard(whole.get());
        } else if (fault != Fault.NO_DESCRIPTORS) { // without a descriptor the call has no effect
          half.run();
        }
        return true;
      });
      events.end(event);
      throw IoEvents.failure(fault, kind, file);
    }
    T result = atomically(() -> {
      checkAlive(kind.toString(), file);
      return whole.get();
    });
    events.end(event);
    if (isDead()) {
      discard(result); // the caller died in the call and never gets the result
    }
    checkAlive(kind.toString(), file);
    return result;
  }

  private <T> T perform(IoEvent.Kind kind, String file, Supplier<T> whole) {
    return perform(kind, file, whole, () -> {});
  }

  private static void discard(Object result) {
    if (result instanceof SimulatedHandle handle) {
      handle.close();
    }
  }

  <T> T atomically(Supplier<T> action) {
    synchronized (this) {
      return action.get();
    }
  }

  private synchronized boolean isDead() {
    return dead;
  }

  synchronized void checkAlive(String operation, String file) {
    if (dead) {
      throw new StoreIoException(operation, file, new IOException("the power is off"));
    }
  }

  /** Returns how many of the given bytes fit into the capacity. */
  int room(int bytes) {
    return (int) Math.max(0, Math.min(bytes, capacityBytes - filesAndHandlesBytes()));
  }

  void forget(SimulatedHandle handle) {
    handles.remove(handle);
  }

  private <H extends SimulatedHandle> H opened(H handle) {
    handle.file.opened();
    handles.add(handle);
    return handle;
  }

  private SimulatedFile link(String name, SimulatedFile file) {
    checkName(name);
    if (names.find(name) != null) {
      throw new StoreIoException("create", name, new IOException("the file already exists"));
    }
    names.link(name, file);
    return file;
  }

  private static void checkName(String name) {
    if (name.contains("/")) {
      throw new IllegalArgumentException("not a file name: " + name);
    }
  }

  private SimulatedFile file(String operation, String name) {
    SimulatedFile file = names.find(name);
    if (file == null) {
      throw new StoreIoException(operation, name, new IOException("no such file or directory"));
    }
    return file;
  }

  private long filesAndHandlesBytes() {
    Set<SimulatedFile> files = Collections.newSetFromMap(new IdentityHashMap<>());
    names.files().forEach(files::add);
    handles.forEach(handle -> files.add(handle.file));
    return files.stream().mapToLong(SimulatedFile::usedBytes).sum();
  }
}
