package heddle.runtime;

/** What every observed class gets: room for the number of an object. */
public interface Tagged {
  int $hd();

  void $hd(int id);
}
