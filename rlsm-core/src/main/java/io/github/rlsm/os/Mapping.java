// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a file that its owner unmaps explicitly, independent of the garbage collector.
 *
 * <p>From Java 22 on, {@code java.lang.foreign.Arena} unmaps on demand, and turns a use after the
 * end into an exception. Before Java 22, {@code sun.misc.Unsafe.invokeCleaner} is the only way, and
 * a use after the end may kill the process. Both are called by reflection, because this code is
 * compiled for Java 17. Neither needs a flag or prints a warning on the versions where it is used.
 *
 * <p>Threads: one thread calls {@link #unmap}, once, after all use.
 */
final class Mapping {

  private static final int FIRST_FEATURE_WITH_ARENA = 22;

  private static final Mapper MAPPER = chooseMapper();

  private final MappedByteBuffer buffer;
  private final Runnable unmapper;

  private Mapping(MappedByteBuffer buffer, Runnable unmapper) {
    this.buffer = buffer;
    this.unmapper = unmapper;
  }

  /** Maps the first {@code length} bytes of a file. The file must be at least that long. */
  static Mapping of(FileChannel channel, MapMode mode, long length) throws IOException {
    Mapping mapping = MAPPER.map(channel, mode, length);
    Limit.MAPPED.incrementAndGet();
    return mapping;
  }

  /** Returns the mapped memory. */
  MappedByteBuffer buffer() {
    return buffer;
  }

  /** Unmaps the memory. */
  void unmap() {
    unmapper.run();
    Limit.MAPPED.decrementAndGet();
  }

  @FunctionalInterface
  private interface Mapper {
    Mapping map(FileChannel channel, MapMode mode, long length) throws IOException;
  }

  private static Mapper chooseMapper() {
    try {
      return Runtime.version().feature() >= FIRST_FEATURE_WITH_ARENA
          ? new ArenaMapper()
          : new CleanerMapper();
    } catch (ReflectiveOperationException e) {
      System.getLogger(Mapping.class.getName())
          .log(Level.INFO, "cannot unmap files at once; the garbage collector unmaps them: " + e);
      return (channel, mode, length) -> new Mapping(channel.map(mode, 0, length), () -> {});
    }
  }

  /** Java 22 and later: {@code channel.map(mode, 0, length, Arena.ofShared()).asByteBuffer()}. */
  private static final class ArenaMapper implements Mapper {

    private final Method openArena;
    private final Method closeArena;
    private final Method map;
    private final Method asByteBuffer;

    ArenaMapper() throws ReflectiveOperationException {
      Class<?> arena = Class.forName("java.lang.foreign.Arena");
      openArena = arena.getMethod("ofShared");
      closeArena = arena.getMethod("close");
      map = FileChannel.class.getMethod("map", MapMode.class, long.class, long.class, arena);
      asByteBuffer = Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer");
    }

    @Override
    public Mapping map(FileChannel channel, MapMode mode, long length) throws IOException {
      Object arena = call(openArena, null);
      try {
        Object segment = call(map, channel, mode, 0L, length, arena);
        return new Mapping(
            (MappedByteBuffer) call(asByteBuffer, segment), () -> callPlain(closeArena, arena));
      } catch (IOException | RuntimeException | Error e) {
        callPlain(closeArena, arena);
        throw e;
      }
    }
  }

  /** Java 17 to 21: {@code Unsafe.invokeCleaner}. */
  private static final class CleanerMapper implements Mapper {

    private final Object unsafe;
    private final Method invokeCleaner;

    CleanerMapper() throws ReflectiveOperationException {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      unsafe = instance.get(null);
      invokeCleaner = type.getMethod("invokeCleaner", ByteBuffer.class);
    }

    @Override
    public Mapping map(FileChannel channel, MapMode mode, long length) throws IOException {
      MappedByteBuffer buffer = channel.map(mode, 0, length);
      return new Mapping(buffer, () -> callPlain(invokeCleaner, unsafe, buffer));
    }
  }

  /** Calls a public method of the JDK, and throws the exceptions that the method throws. */
  private static Object call(Method method, @Nullable Object target, Object... arguments)
      throws IOException {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException failure) {
        throw failure;
      } else if (cause instanceof RuntimeException failure) {
        throw failure;
      } else if (cause instanceof Error failure) {
        throw failure;
      }
      throw new AssertionError(e);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Like {@link #call}, for a method that does no I/O. */
  private static void callPlain(Method method, Object target, Object... arguments) {
    try {
      call(method, target, arguments);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The limit on the mappings of this process.
   *
   * <p>Linux limits the mappings of a process ({@code vm.max_map_count}, 65,530 by default). A
   * process at the limit cannot map memory for its heap either, and dies. Advice for a part of a
   * file splits its mapping, so a table takes two. The JVM itself, its threads and other libraries
   * take some thousands. So files may use three eighths of the limit.
   *
   * <p>Threads: any.
   */
  static final class Limit {

    private static final String FILE = "/proc/sys/vm/max_map_count";
    private static final int TEXT_BYTES_MAX = 64;
    private static final long MAX = max();

    /** The number of {@link Mapping}s. */
    private static final AtomicLong MAPPED = new AtomicLong();

    private Limit() {}

    private static long max() {
      // Reads the file once: the kernel returns end of file for a second read at a later offset.
      try (InputStream in = new FileInputStream(FILE)) {
        String text = new String(in.readNBytes(TEXT_BYTES_MAX), US_ASCII);
        return Long.parseLong(text.trim()) * 3 / 8;
      } catch (IOException | NumberFormatException e) {
        return Long.MAX_VALUE; // another system
      }
    }

    /** The most files that should be mapped. */
    static long filesMax() {
      return MAX;
    }

    /** How many more files should be mapped; negative if too many are mapped. */
    static long left() {
      return MAX - MAPPED.get();
    }
  }
}
