package heddle.runtime;

/** Values of references as 64 bits: the number of the object. Strings and boxed numbers, which are compared by content, have their content or a hash of it. Equal words, equal values. */
final class Words {
  private static final long TEXT = 1L << 62;
  private static final long BOX = 3L << 61;

  private Words() {}

  static long of(Object value, Task t) {
    if (value == null) return 0;
    if (value instanceof Tagged) return Ids.of(value, t);
    if (value instanceof String) {
      String text = (String) value;
      return TEXT | (long) (text.length() & 0xfffffff) << 32 | text.hashCode() & 0xffffffffL;
    }
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) return BOX | ((Number) value).intValue() & 0xffffffffL;
    if (value instanceof Boolean) return BOX | 1L << 33 | ((Boolean) value ? 1 : 0);
    if (value instanceof Character) return BOX | 1L << 34 | (Character) value;
    if (value instanceof Long) return BOX | 1L << 35 | (((Long) value) * 0x9E3779B97F4A7C15L >>> 30);
    if (value instanceof Double) return BOX | 1L << 36 | (Double.doubleToLongBits((Double) value) * 0x9E3779B97F4A7C15L >>> 30);
    return Ids.of(value, t);
  }
}
