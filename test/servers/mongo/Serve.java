import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** A server that speaks MongoDB's protocol, in memory: {@code java -cp JARS Serve.java PORT}. */
class Serve {
  /** The least that today's drivers talk to. */
  record Version() implements MongoVersion {
    public List<Integer> getVersionArray() {
      return List.of(4, 4, 0);
    }

    public int getWireVersion() {
      return 9;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    var backend = new MemoryBackend();
    backend.version(new Version());
    new MongoServer(backend).bind("127.0.0.1", Integer.parseInt(args[0]));
    Thread.currentThread().join();
  }
}
