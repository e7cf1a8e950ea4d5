// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of one API method with arguments that fit its parameters. The calls are derived from the
 * interfaces by reflection, so methods added later are covered too.
 */
final class ApiCall {

  /** Methods that work on a closed or dropped object. */
  private static final Set<String> ALWAYS_ANSWER =
      Set.of("name", "store", "defaultDurability", "isClosed", "close");

  static final byte[] KEY = TestBytes.bytes("key");
  static final byte[] VALUE = TestBytes.bytes("value");

  private static final Map<String, Integer> LENGTHS =
      Map.of("length", KEY.length, "keyLength", KEY.length, "valueLength", VALUE.length);

  private static final Map<Class<?>, Object> OTHERS = Map.of(
      ScanOptions.class,
      ScanOptions.all(),
      Durability.class,
      Durability.OS,
      String.class,
      "name",
      long.class,
      1L,
      BiConsumer.class,
      (BiConsumer<Object, Object>) (key, value) -> {},
      WriteBatch.Visitor.class,
      new IdleVisitor(),
      Keyspace.class,
      new ModelStore());

  private final Method method;
  private final @Nullable Object[] arguments;

  private ApiCall(Method method) {
    this.method = method;
    this.arguments = Arrays.stream(method.getParameters())
        .map(parameter -> fitting(parameter, method))
        .toArray();
  }

  /** Returns a call of each method of a type, except the methods that always work. */
  static List<ApiCall> all(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getDeclaringClass() != Object.class)
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge())
        .filter(method -> !ALWAYS_ANSWER.contains(method.getName()))
        .sorted(Comparator.comparing(Method::toGenericString))
        .map(ApiCall::new)
        .toList();
  }

  private static Object fitting(Parameter parameter, Method method) {
    boolean isKey = parameter.getName().equals("key");
    Class<?> type = parameter.getType();
    Object fits;
    if (type == byte[].class) {
      fits = isKey ? KEY : VALUE;
    } else if (type == ByteBuffer.class) {
      fits = parameter.getName().equals("destination")
          ? ByteBuffer.allocate(100)
          : ByteBuffer.wrap(isKey ? KEY : VALUE);
    } else if (type == int.class) {
      fits = LENGTHS.getOrDefault(parameter.getName(), 0);
    } else if (type == List.class) {
      fits = method.getName().equals("multiGet") ? List.of(KEY) : List.of(ByteBuffer.wrap(KEY));
    } else if (type == VerifyListener.class) {
      fits = VerifyListener.NONE;
    } else if (type == WriteBatch.class) {
      fits = new WriteBatch().put(KEY, VALUE);
    } else {
      fits = OTHERS.get(type);
    }
    return Objects.requireNonNull(fits, () -> "no argument fits " + parameter + " of " + method);
  }

  Method method() {
    return method;
  }

  /** Whether the method has a parameter of this name. */
  boolean takes(String parameter) {
    return Arrays.stream(method.getParameters()).anyMatch(p -> p.getName().equals(parameter));
  }

  /**
   * Returns the same call with another argument for a parameter, if the method has the parameter.
   */
  ApiCall with(String parameter, @Nullable Object argument) {
    ApiCall changed = new ApiCall(method);
    Parameter[] parameters = method.getParameters();
    System.arraycopy(arguments, 0, changed.arguments, 0, arguments.length);
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].getName().equals(parameter)) {
        changed.arguments[i] = argument;
      }
    }
    return changed;
  }

  /** The same call with the key in place of {@link #KEY}. */
  ApiCall withKey(byte[] key) {
    boolean array = Arrays.asList(method.getParameterTypes()).contains(byte[].class);
    Object keys =
        method.getName().equals("multiGet") ? List.of(key) : List.of(ByteBuffer.wrap(key));
    return with("key", array ? key : ByteBuffer.wrap(key))
        .with("keys", keys)
        .with("keyLength", key.length)
        .with("length", key.length);
  }

  /** Names of the parameters that may not be null. */
  List<String> requiredReferences() {
    return Arrays.stream(method.getParameters())
        .filter(p -> !p.getType().isPrimitive())
        .filter(p -> !p.getAnnotatedType().isAnnotationPresent(Nullable.class))
        .map(Parameter::getName)
        .toList();
  }

  /** Makes the call and closes the returned object if it is closeable. */
  @Nullable
  Object on(Object target) throws Throwable {
    try {
      Object result = method.invoke(target, arguments);
      if (result instanceof KvIterator iterator) {
        iterator.close();
      } else if (result instanceof Snapshot snapshot) {
        snapshot.close();
      }
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public String toString() {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName()
        + Arrays.stream(method.getParameters())
            .map(p -> p.getType().getSimpleName() + " " + p.getName())
            .toList();
  }

  private static final class IdleVisitor implements WriteBatch.Visitor {

    @Override
    public void put(
        @Nullable Keyspace keyspace,
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength) {}

    @Override
    public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {}
  }
}
