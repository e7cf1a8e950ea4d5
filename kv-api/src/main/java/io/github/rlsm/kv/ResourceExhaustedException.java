// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.jspecify.annotations.Nullable;

/**
 * The system has run out of a resource. A write that fails with this exception was not acknowledged
 * and has changed nothing. No acknowledged write is lost. The store stays open: reads work, and
 * writes succeed again as soon as the resource is available. See {@link KvStore#health()}.
 */
public sealed class ResourceExhaustedException extends StoreIoException permits DiskFullException {

  private static final long serialVersionUID = 1L;

  private final Resource resource;

  /** A resource that can run out. */
  public enum Resource {
    /** Space on the device, or in a quota. */
    DISK_SPACE("free some space on the device, or raise the quota"),
    /** Descriptors for open files. */
    FILE_DESCRIPTORS("raise the limit on open files, for example with ulimit -n"),
    /** Memory mappings. */
    MAPPINGS("raise vm.max_map_count, or give the machine more memory"),
    /** Heap, direct memory, or kernel memory. */
    MEMORY("give the process more memory, or the store a smaller memoryBudget"),
    /** Threads. */
    THREADS("raise the limit on threads, for example with ulimit -u");

    private final String remedy;

    Resource(String remedy) {
      this.remedy = remedy;
    }

    /** The remedy, as an instruction for the operator. */
    public String remedy() {
      return remedy;
    }
  }

  /**
   * As {@link StoreIoException#StoreIoException(String, String, Throwable)}.
   *
   * @param resource the resource that ran out
   */
  public ResourceExhaustedException(
      String operation, String file, Resource resource, @Nullable Throwable cause) {
    super(operation, file, cause);
    this.resource = resource;
  }

  /** The resource that ran out. */
  public Resource resource() {
    return resource;
  }
}
