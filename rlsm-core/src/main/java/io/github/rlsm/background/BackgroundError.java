// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.StoreHealth.State;
import io.github.rlsm.thread.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The error state of the store: healthy, degraded while failed work waits for a retry, or
 * read-only. {@link FailurePolicy} maps errors to states.
 *
 * <p>Work that failed for a transient cause waits. A timer retries it after one second, then after
 * twice the previous delay, up to {@value #DELAY_MAX_SECONDS} seconds. After a full disk, the timer
 * retries only once the device has room again. Every change of state is logged and counted once.
 *
 * <p>Threads: any. In a healthy store, {@link #check} and {@link #isWaiting} read one volatile
 * field.
 */
public final class BackgroundError {

  private static final Logger LOG = System.getLogger("io.github.rlsm.health");

  /**
   * The interval at which a thread that waits for background work looks for an error. Nobody wakes
   * it for an error, because a thread that runs out of stack may report one. If that thread
   * overflows while it takes a lock, the lock stays locked.
   */
  static final long LOOK_NANOS = 20_000_000;

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long DELAY_MAX_SECONDS = 30;
  private static final int LATER_ERRORS_MAX = 10;
  private final String store;
  private final LongSupplier nanoClock;
  private final Scheduler scheduler;

  /**
   * The first permanent error. Later errors are attached to it as suppressed exceptions, up to
   * {@value #LATER_ERRORS_MAX}.
   */
  private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

  private final AtomicInteger laterErrors = new AtomicInteger();

  @GuardedBy("this")
  private final Map<Activity, Retry> retries = new EnumMap<>(Activity.class);

  /** The activities that failed and have not succeeded since. */
  @GuardedBy("this")
  private final Map<Activity, Trouble> troubles = new EnumMap<>(Activity.class);

  /** The cause of the first trouble since the store was last healthy, or null. */
  @GuardedBy("this")
  private @Nullable Throwable degradedBy;

  @GuardedBy("this")
  private long sinceNanos; // when the state began

  @GuardedBy("this")
  private long degradedCount;

  @GuardedBy("this")
  private long resumedCount;

  @GuardedBy("this")
  private long retryCount;

  /** Whether any trouble exists; written under this. */
  private volatile boolean degraded;

  /**
   * The way to retry one kind of work.
   *
   * @param begin starts the work in a separate thread
   * @param room whether the device has room for the work; asked after a full disk
   */
  private record Retry(Runnable begin, RoomCheck room) {}

  /** Checks whether the device has room for some work. */
  @FunctionalInterface
  interface RoomCheck {
    boolean hasRoom();
  }

  private static final class Trouble {
    private Throwable cause;
    private long delayNanos;
    private long retryAtNanos;

    /** False while the work is being retried. */
    private boolean waiting = true;

    /** Distinguishes the latest timer from earlier ones. */
    private int timer;

    Trouble(Throwable cause) {
      this.cause = cause;
    }
  }

  /**
   * Creates the state of a healthy store.
   *
   * @param store the name of the store, for log messages
   */
  BackgroundError(String store, LongSupplier nanoClock, Scheduler scheduler) {
    this.store = store;
    this.nanoClock = nanoClock;
    this.scheduler = scheduler;
  }

  /**
   * Registers how to retry some work. Call this before the work can fail: no timer retries
   * unregistered work.
   */
  synchronized void retry(Activity activity, Runnable begin, RoomCheck room) {
    retries.put(activity, new Retry(begin, room));
  }

  /**
   * Handles an error of some work: the work waits, or the store becomes read-only.
   *
   * @return whether the work will be retried
   */
  public boolean report(Throwable failure, Activity during) {
    Throwable error = MappedFaults.cause(failure);
    if (!FailurePolicy.isTransient(error, during)) {
      set(error);
      return false;
    }
    begin(error, during);
    return true;
  }

  /** Makes the store read-only if it is not yet. */
  @SuppressWarnings("ReferenceEquality") // one error, reported twice
  public void set(Throwable failure) {
    Throwable error = MappedFaults.cause(failure);
    Throwable cause = error instanceof StoreFailedException && error.getCause() != null
        ? error.getCause()
        : error;
    if (first.compareAndSet(null, cause)) {
      synchronized (this) {
        sinceNanos = nanoClock.getAsLong();
      }
      String message =
          store + " is read-only: " + cause + "; remedy: " + FailurePolicy.permanentRemedy(cause);
      log(Level.ERROR, message, cause, cause);
      return;
    }
    Throwable earlier = Objects.requireNonNull(first.get());
    if (earlier != cause
        && !(error instanceof StoreFailedException)
        && laterErrors.incrementAndGet() <= LATER_ERRORS_MAX) {
      earlier.addSuppressed(cause);
    }
  }

  /**
   * Logs a change of state. A failing logger must not change anything else: writing a line may need
   * the file descriptors that the store lacks, even to load a class. The logger's exception is
   * attached to the cause of the change.
   */
  @SuppressWarnings("ReferenceEquality") // an error cannot be attached to itself
  private static void log(
      Level level, String message, @Nullable Throwable thrown, Throwable about) {
    try {
      LOG.log(level, message, thrown);
    } catch (RuntimeException | Error e) {
      if (e != about) {
        about.addSuppressed(e);
      }
    }
  }

  /** Whether the store is read-only. */
  public boolean isSet() {
    return first.get() != null;
  }

  /**
   * Checks that writes are allowed.
   *
   * @throws StoreFailedException if the store is read-only
   */
  public void check() {
    Throwable cause = first.get();
    if (cause != null) {
      throw new StoreFailedException(cause);
    }
  }

  private synchronized void begin(Throwable error, Activity activity) {
    long now = nanoClock.getAsLong();
    Trouble trouble = troubles.get(activity);
    if (trouble == null) {
      trouble = new Trouble(error);
      troubles.put(activity, trouble);
      trouble.delayNanos = SECOND_NANOS;
    } else if (trouble.waiting) {
      return; // two threads failed in the same work: one timer is enough
    } else {
      trouble.cause = error;
      trouble.waiting = true;
      trouble.delayNanos = Math.min(2 * trouble.delayNanos, DELAY_MAX_SECONDS * SECOND_NANOS);
    }
    if (!degraded) {
      degraded = true;
      degradedBy = error;
      sinceNanos = now;
      degradedCount++;
      String message = store + " is degraded: " + activity.label()
          + " failed and will be retried: " + error
          + "; remedy: " + FailurePolicy.remedy(error)
          + "; the store then resumes automatically";
      log(Level.WARNING, message, null, error);
    }
    startTimer(activity, trouble, now);
  }

  private void startTimer(Activity activity, Trouble trouble, long now) {
    trouble.retryAtNanos = now + trouble.delayNanos;
    int timer = ++trouble.timer;
    scheduler.later(trouble.delayNanos, () -> retry(activity, timer));
  }

  private void retry(Activity activity, int timer) {
    Retry how;
    Throwable cause;
    synchronized (this) {
      Trouble trouble = troubles.get(activity);
      how = retries.get(activity);
      if (trouble == null || !trouble.waiting || trouble.timer != timer || how == null) {
        return;
      }
      cause = trouble.cause;
    }
    boolean hasRoom = !(cause instanceof DiskFullException) || how.room.hasRoom();
    synchronized (this) {
      Trouble trouble = troubles.get(activity);
      if (trouble == null || !trouble.waiting || trouble.timer != timer) {
        return;
      }
      if (!hasRoom) {
        startTimer(activity, trouble, nanoClock.getAsLong());
        return;
      }
      trouble.waiting = false;
      retryCount++;
    }
    how.begin.run();
  }

  /** Retries all waiting work now. */
  public void resume() {
    for (Activity activity : Activity.values()) {
      Retry how;
      synchronized (this) {
        Trouble trouble = troubles.get(activity);
        how = retries.get(activity);
        if (trouble == null || !trouble.waiting || how == null) {
          continue;
        }
        trouble.waiting = false;
        retryCount++;
      }
      how.begin.run();
    }
  }

  /** Records that some work succeeded, or that no such work is left to do. */
  public void worked(Activity activity) {
    if (!degraded) {
      return;
    }
    synchronized (this) {
      if (troubles.remove(activity) != null && troubles.isEmpty()) {
        Throwable cause = Objects.requireNonNull(degradedBy);
        degraded = false;
        degradedBy = null;
        resumedCount++;
        sinceNanos = nanoClock.getAsLong();
        String message = store + " is healthy again: all failed work has succeeded";
        log(Level.INFO, message, null, cause);
      }
    }
  }

  /** Whether some work failed and its retry has not started. */
  boolean isWaiting(Activity activity) {
    if (!degraded) {
      return false;
    }
    synchronized (this) {
      Trouble trouble = troubles.get(activity);
      return trouble != null && trouble.waiting;
    }
  }

  /**
   * Throws if some work is waiting for its retry. For a caller that would otherwise wait for the
   * work.
   *
   * @param needed the operation that the caller would wait for, for the message
   * @throws ResourceExhaustedException naming the failed work and the remedy
   */
  void checkNotWaiting(Activity activity, String needed) {
    if (!degraded) {
      return;
    }
    Throwable cause;
    synchronized (this) {
      Trouble trouble = troubles.get(activity);
      if (trouble == null || !trouble.waiting) {
        return;
      }
      cause = trouble.cause;
    }
    String what =
        needed + " (" + FailurePolicy.remedy(cause) + "; the store then resumes automatically)";
    if (cause instanceof DiskFullException full) {
      throw new DiskFullException(what, full.file(), full);
    }
    throw new ResourceExhaustedException(
        what,
        cause instanceof ResourceExhaustedException exhausted ? exhausted.file() : store,
        cause instanceof ResourceExhaustedException exhausted
            ? exhausted.resource()
            : Resource.MEMORY,
        cause);
  }

  /** Returns the current health of the store. */
  public synchronized StoreHealth health() {
    long now = nanoClock.getAsLong();
    Throwable committed = first.get();
    Duration lasting = Duration.ofNanos(Math.max(0, now - sinceNanos));
    if (committed != null) {
      return new StoreHealth(
          State.READ_ONLY,
          committed,
          StoreHealth.Retry.NONE,
          lasting,
          FailurePolicy.permanentRemedy(committed),
          -1);
    }
    Throwable cause = degradedBy;
    if (cause == null) {
      return StoreHealth.HEALTHY;
    }
    long next = troubles.values().stream()
        .filter(trouble -> trouble.waiting)
        .mapToLong(trouble -> Math.max(0, trouble.retryAtNanos - now))
        .min()
        .orElse(0);
    List<String> waiting = troubles.keySet().stream().map(Activity::label).toList();
    return new StoreHealth(
        State.DEGRADED,
        cause,
        new StoreHealth.Retry(waiting, Duration.ofNanos(next)),
        lasting,
        FailurePolicy.remedy(cause),
        -1);
  }

  /** Returns how often the state changed. */
  public synchronized Stats.Failures counts() {
    return new Stats.Failures(degradedCount, resumedCount, retryCount, isSet() ? 1 : 0);
  }

  /** The activity that an error interrupted: one of the two inputs of {@link FailurePolicy}. */
  public enum Activity {
    /** Storing a record into space that was reserved for it in the log. */
    WRITE("write"),
    /** Making the log durable. */
    FORCE("log force"),
    /** Writing a memory component to a table, and installing the table. */
    FLUSH("flush"),
    /** Compacting or cleaning, and installing the result. */
    COMPACT("compaction"),
    /**
     * Relocating live values out of segments with garbage. Other background work does not wait for
     * it.
     */
    COLLECT("collection of dead values"),
    /** Creating the log segments of the next memory component. */
    PREPARE("preparation of log segments"),
    /** Writing the manifest during a user's call. */
    INSTALL("manifest update"),
    /** Deleting files that no version needs. */
    DELETE("deletion of files"),
    /** Closing or reusing an object after its last reader has left. */
    RELEASE("release of memory");

    private final String label;

    Activity(String label) {
      this.label = label;
    }

    /** The name that operators see. */
    String label() {
      return label;
    }
  }
}
