package heddle.runtime;

/** The interface that every observed class gets: it stores the number of an object. */
public interface Tagged {
  int $hd();

  void $hd(int id);
}
