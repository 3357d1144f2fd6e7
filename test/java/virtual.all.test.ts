/** Virtual threads are threads like others, with every JDK of this machine that has them. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noJava, otherJdks, place, versionOf } from './java.ts'

const FIRST = 21
const homes = noJava === '' ? otherJdks().filter((home) => Number(versionOf(join(home, 'bin/java'))) >= FIRST) : []

describe.skipIf(homes.length === 0)('virtual threads', () => {
  const here = place()

  describe.each(homes)('%s', (home) => {
    const java = join(home, 'bin/java')

    function compiled(name: string, text: string): string {
      const folder = join(here.dir, versionOf(java))
      mkdirSync(folder, { recursive: true })
      const file = join(folder, `${name}.java`)
      writeFileSync(file, text)
      const { status, stderr } = spawnSync(join(home, 'bin/javac'), ['-g', '-d', folder, file], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
      return folder
    }

    test('a lost update is FAILED', async () => {
      const { out, err, code } = await here.check(['--replays', '8'], [java, '-cp', compiled('Virtual', VIRTUAL), 'Virtual'])
      expect(out, err).toMatch(/^1\. FAILED 3 of 3 replays: lost update on Virtual\.count$/m)
      expect(code).toBe(1)
    })

    test('who closes a pool of them sees what they did', async () => {
      const { out, err, code } = await here.check(['--replays', '4'], [java, '-cp', compiled('Closed', CLOSED), 'Closed'])
      expect(out, err).toMatch(/(\d+) pairs?: \1 impossible/)
      expect(code).toBe(0)
    })

    test('a pool of them, with a lock and a queue, is silent', async () => {
      const { out, err, code } = await here.check(['--replays', '8'], [java, '-cp', compiled('Pool', POOL), 'Pool'])
      expect(out, err).toContain('No failure was found')
      expect(out).toMatch(/^done 3$/m)
      expect(code).toBe(0)
    })
  })
})

const VIRTUAL = `public class Virtual {
  static int count;

  public static void main(String[] args) throws Exception {
    Thread a = Thread.ofVirtual().start(() -> count++);
    Thread b = Thread.startVirtualThread(() -> count++);
    a.join();
    b.join();
    if (count != 2) throw new IllegalStateException("count is " + count);
    System.out.println("two");
  }
}
`

const POOL = `import java.util.concurrent.*;

public class Pool {
  static int count;
  static final Object lock = new Object();

  static int next() {
    synchronized (lock) {
      return ++count;
    }
  }

  public static void main(String[] args) throws Exception {
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> a = pool.submit(Pool::next);
      Future<Integer> b = pool.submit(Pool::next);
      if (a.get() + b.get() != 3) throw new IllegalStateException("not 3");
    }
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    Thread producer =
        Thread.startVirtualThread(
            () -> {
              try {
                for (int i = 0; i < 3; i++) queue.put(i);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += queue.take();
    producer.join();
    System.out.println("done " + sum);
  }
}
`

const CLOSED = `
import java.util.concurrent.*;
public class Closed {
  static int done;
  public static void main(String[] args) {
    ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor();
    pool.execute(() -> done = 1);
    pool.close();
    if (done != 1) throw new IllegalStateException();
    System.out.println("done " + done);
  }
}`
