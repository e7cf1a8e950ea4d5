// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import io.github.rlsm.kv.Durability;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;

/**
 * What the binding reads from YCSB's properties; all properties of its own begin with
 * {@code rlsm.}, and one it does not know is an error: a misspelt option must not pass for a
 * measured one.
 *
 * @param store the name of the {@link StoreOpener}
 * @param directory where the store is
 * @param durability of every write; null for the store's default
 * @param options the store's own options
 * @param settle whether the last client to leave waits for background work before it closes the
 *     store
 * @param blindUpdates whether an update that names every field of the workload's schema is written
 *     without reading the record
 */
public record ClientSettings(
    String store,
    Path directory,
    @Nullable Durability durability,
    Map<String, String> options,
    boolean settle,
    boolean blindUpdates) {

  /** The store's directory; required. */
  public static final String DIRECTORY = "rlsm.dir";

  /** The kind of store: the name of a {@link StoreOpener}. */
  public static final String STORE = "rlsm.store";

  /** {@code BUFFERED}, {@code OS} or {@code SYNC}, in any case. */
  public static final String DURABILITY = "rlsm.durability";

  /** Whether to wait for background work before closing. */
  public static final String SETTLE = "rlsm.settle";

  /** Whether updates of all fields skip the read. */
  public static final String BLIND_UPDATES = "rlsm.blindupdates";

  /** What is before the name of one of the store's own options. */
  public static final String OPTION_PREFIX = "rlsm.options.";

  private static final String PREFIX = "rlsm.";
  /** The engine itself. */
  static final String DEFAULT_STORE = "rlsm";

  private static final List<String> KNOWN =
      List.of(BLIND_UPDATES, DIRECTORY, DURABILITY, OPTION_PREFIX + "<name>", SETTLE, STORE);

  /** Copies the map. */
  public ClientSettings {
    options = Map.copyOf(options);
  }

  /**
   * Reads the settings.
   *
   * @throws DBException if one is missing, unknown or not of its type; says which and what is legal
   */
  public static ClientSettings from(Properties properties) throws DBException {
    Map<String, String> options = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(OPTION_PREFIX) && name.length() > OPTION_PREFIX.length()) {
        options.put(name.substring(OPTION_PREFIX.length()), properties.getProperty(name));
      } else if (name.startsWith(PREFIX) && !KNOWN.contains(name)) {
        throw new DBException(
            "unknown property " + name + "; there are " + String.join(", ", KNOWN));
      }
    }
    return new ClientSettings(
        properties.getProperty(STORE, DEFAULT_STORE),
        directory(properties),
        durability(properties),
        options,
        bool(properties, SETTLE),
        bool(properties, BLIND_UPDATES));
  }

  private static Path directory(Properties properties) throws DBException {
    String directory = properties.getProperty(DIRECTORY, "").strip();
    if (directory.isEmpty()) {
      throw new DBException("property " + DIRECTORY
          + " is missing: set it to the store's directory, -p " + DIRECTORY + "=/path");
    }
    try {
      return Path.of(directory).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new DBException("property " + DIRECTORY + " is not a path: " + directory, e);
    }
  }

  private static @Nullable Durability durability(Properties properties) throws DBException {
    String durability = properties.getProperty(DURABILITY);
    if (durability == null) {
      return null;
    }
    for (Durability legal : Durability.values()) {
      if (legal.name().equals(durability.strip().toUpperCase(Locale.ROOT))) {
        return legal;
      }
    }
    throw new DBException("property " + DURABILITY + " is " + durability + "; legal are "
        + Arrays.toString(Durability.values()));
  }

  private static boolean bool(Properties properties, String name) throws DBException {
    String value = properties.getProperty(name, "false").strip().toLowerCase(Locale.ROOT);
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new DBException("property " + name + " is " + value + "; true or false");
    };
  }
}
