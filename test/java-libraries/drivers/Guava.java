import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/** A loading cache and a multiset behind a pool. */
public class Guava {
  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    LoadingCache<Integer, Integer> cache = CacheBuilder.newBuilder().maximumSize(1000).build(CacheLoader.from(key -> key * 3));
    ConcurrentHashMultiset<Integer> seen = ConcurrentHashMultiset.create();
    ListeningExecutorService pool = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(3));
    List<ListenableFuture<Integer>> all = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      int key = i % 10;
      all.add(pool.submit(() -> {
        seen.add(key);
        return cache.get(key);
      }));
    }
    int sum = 0;
    for (ListenableFuture<Integer> one : all) sum += one.get();
    pool.shutdown();
    System.out.println("sum " + sum + ", seen " + seen.size());
  }
}
