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
 * The settings of the binding, from YCSB's properties. All its properties begin with {@code rlsm.}.
 * An unknown property is an error, so that no measurement silently ignores a misspelt option.
 *
 * @param store name of the {@link StoreOpener}
 * @param directory the store's directory
 * @param durability durability of every write; null for the store's default
 * @param options options of the store
 * @param settle whether the last client waits for background work before it closes the store
 * @param blindUpdates whether an update of every field of the workload's schema is written without
 *     reading the record
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

  /** {@code BUFFERED}, {@code OS} or {@code SYNC}, case-insensitive. */
  public static final String DURABILITY = "rlsm.durability";

  /** Whether to wait for background work before closing. */
  public static final String SETTLE = "rlsm.settle";

  /** Whether updates of all fields skip the read. */
  public static final String BLIND_UPDATES = "rlsm.blindupdates";

  /** Prefix of the store's options. */
  public static final String OPTION_PREFIX = "rlsm.options.";

  private static final String PREFIX = "rlsm.";
  /** The name of this project's engine. */
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
   * @throws DBException if a property is missing, unknown or invalid; names it and the legal values
   */
  public static ClientSettings from(Properties properties) throws DBException {
    Map<String, String> options = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(OPTION_PREFIX) && name.length() > OPTION_PREFIX.length()) {
        options.put(name.substring(OPTION_PREFIX.length()), properties.getProperty(name));
      } else if (name.startsWith(PREFIX) && !KNOWN.contains(name)) {
        throw new DBException(
            "unknown property " + name + "; known are " + String.join(", ", KNOWN));
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
    throw new DBException("property " + DURABILITY + " is " + durability + "; legal values are "
        + Arrays.toString(Durability.values()));
  }

  private static boolean bool(Properties properties, String name) throws DBException {
    String value = properties.getProperty(name, "false").strip().toLowerCase(Locale.ROOT);
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
        throw new DBException(
            "property " + name + " is " + value + "; legal values are true and false");
    };
  }
}
