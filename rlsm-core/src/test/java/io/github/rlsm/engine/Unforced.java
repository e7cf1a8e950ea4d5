// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.log.RelocatedSegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Creates a directory that omits the forces of value segments with moved values. */
final class Unforced {

  private Unforced() {}

  /** Returns a directory with all operations except these forces. */
  static StoreDirectory moves(StoreDirectory real) {
    return proxy(StoreDirectory.class, (self, method, arguments) -> {
      Object result = call(real, method, arguments);
      return isByMovedSegment(method) ? withoutForce((MappedFile) result) : result;
    });
  }

  private static boolean isByMovedSegment(Method method) {
    return method.getName().equals("createMapped")
        && StackWalker.getInstance()
            .walk(frames -> frames.anyMatch(
                frame -> frame.getClassName().equals(RelocatedSegment.class.getName())));
  }

  private static MappedFile withoutForce(MappedFile real) {
    return proxy(
        MappedFile.class,
        (self, method, arguments) ->
            method.getName().equals("force") ? null : call(real, method, arguments));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    ClassLoader loader = Unforced.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
  }

  private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
