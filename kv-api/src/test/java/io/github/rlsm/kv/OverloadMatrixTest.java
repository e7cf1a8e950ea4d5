// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every operation exists for arrays, slices of arrays, and buffers. */
class OverloadMatrixTest {

  private static final List<Class<?>> ARRAY = List.of(byte[].class);
  private static final List<Class<?>> SLICE = List.of(byte[].class, int.class, int.class);
  private static final List<Class<?>> BUFFER = List.of(ByteBuffer.class);
  private static final List<List<Class<?>>> FORMS = List.of(ARRAY, SLICE, BUFFER);
  private static final List<Class<?>> NOTHING = List.of();

  /** Asks for a method with these parameters, the parts one after another. */
  @SafeVarargs
  private static void assertExists(Class<?> type, String name, List<Class<?>>... parts) {
    List<Class<?>> parameters = Arrays.stream(parts).flatMap(List::stream).toList();
    assertThat(Arrays.stream(type.getMethods())
            .filter(method -> method.getName().equals(name))
            .map(method -> List.of(method.getParameterTypes())))
        .as("%s.%s", type.getSimpleName(), name)
        .contains(parameters);
  }

  @Test
  void reads() {
    for (List<Class<?>> key : FORMS) {
      assertExists(KvReader.class, "get", key);
      assertExists(KvReader.class, "get", key, BUFFER);
      assertExists(KvReader.class, "contains", key);
    }
    assertExists(KvReader.class, "multiGet", List.of(List.class));
    assertExists(KvReader.class, "multiGetBuffers", List.of(List.class));
  }

  @Test
  void writes() {
    for (List<Class<?>> form : FORMS) {
      for (List<Class<?>> durability : List.of(NOTHING, List.<Class<?>>of(Durability.class))) {
        assertExists(Keyspace.class, "put", form, form, durability);
        assertExists(Keyspace.class, "delete", form, durability);
        assertExists(Keyspace.class, "putIfAbsent", form, form, durability);
      }
    }
    for (List<Class<?>> form : List.of(ARRAY, BUFFER)) {
      for (List<Class<?>> durability : List.of(NOTHING, List.<Class<?>>of(Durability.class))) {
        assertExists(Keyspace.class, "compareAndSet", form, form, form, durability);
      }
    }
  }

  @Test
  void batches() {
    for (List<Class<?>> form : FORMS) {
      for (List<Class<?>> keyspace : List.of(NOTHING, List.<Class<?>>of(Keyspace.class))) {
        assertExists(WriteBatch.class, "put", keyspace, form, form);
        assertExists(WriteBatch.class, "delete", keyspace, form);
      }
    }
  }

  @Test
  void scans() {
    for (List<Class<?>> form : FORMS) {
      for (String bound : List.of("from", "to", "prefix")) {
        assertExists(ScanOptions.Builder.class, bound, form);
      }
    }
    for (List<Class<?>> form : List.of(ARRAY, BUFFER)) {
      assertExists(ScanOptions.class, "range", form, form);
      assertExists(ScanOptions.class, "prefix", form);
    }
    for (List<Class<?>> form : List.of(NOTHING, BUFFER)) {
      assertExists(KvIterator.class, "key", form);
      assertExists(KvIterator.class, "value", form);
    }
  }

  /** So that an operation that is added later gets its row above. */
  @Test
  void noOtherMethodTakesBytes() {
    Set<String> names = new TreeSet<>();
    for (Class<?> type : List.of(
        KvStore.class,
        Snapshot.class,
        KvIterator.class,
        WriteBatch.class,
        ScanOptions.class,
        ScanOptions.Builder.class)) {
      for (Method method : type.getMethods()) {
        List<Class<?>> parameters = new ArrayList<>(List.of(method.getParameterTypes()));
        parameters.retainAll(List.of(byte[].class, ByteBuffer.class, List.class));
        if (!parameters.isEmpty()) {
          names.add(method.getName());
        }
      }
    }
    assertThat(names)
        .containsExactly(
            "compareAndSet",
            "contains",
            "delete",
            "from",
            "get",
            "key",
            "multiGet",
            "multiGetBuffers",
            "prefix",
            "put",
            "putIfAbsent",
            "range",
            "to",
            "value");
  }

  @Test
  void onlyInterfacesAndFinalTypesArePublished() {
    for (Class<?> type : List.of(
        WriteBatch.class, ScanOptions.class, ScanOptions.Builder.class, EntryLimits.class)) {
      assertThat(Modifier.isFinal(type.getModifiers())).as("%s", type).isTrue();
    }
    assertThat(Arrays.stream(KvException.class.getPermittedSubclasses())
            .map(Class::getSimpleName)
            .collect(Collectors.toSet()))
        .hasSize(9);
  }
}
