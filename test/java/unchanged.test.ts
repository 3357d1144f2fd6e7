/** Recorded programs print what they print without Heddle, and end in the same way, however they are started. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL } from '../layer.ts'
import { compile, jar, noJava, place, versionOf } from './java.ts'

describe.skipIf(noJava !== '')(`unchanged${noJava}`, () => {
  const here = place()

  /** Recorded, and not run again. */
  async function same(...words: string[]): Promise<string> {
    const plain = await here.java(...words)
    const { code, out, err } = await here.check(['--replays', '0'], ['java', ...words])
    expect(out.slice(0, plain.out.length), err).toBe(plain.out)
    expect(code).toBe(plain.code)
    expect(out).toMatch(/Looked at: \d+ threads/)
    return out
  }

  test('System.exit(0), Runtime.halt(0)', async () => {
    expect(await same('-cp', 'classes', 'Ends', 'exit', '0')).toContain('3 threads')
    expect(await same('-cp', 'classes', 'Ends', 'halt', '0')).toContain('3 threads')
  })

  test('no memory, no stack, and both caught; a deep recursion', async () => {
    await same('-Xmx64m', '-cp', 'classes', 'Ends', 'memory-caught')
    await same('-Xss256k', '-cp', 'classes', 'Ends', 'stack-caught')
    await same('-Xss256k', '-cp', 'classes', 'Ends', 'stack-edge')
    if (ALL) await same('-cp', 'classes', 'Ends', 'deep')
  })

  test.skipIf(Number(versionOf('java')) > 23)('a security manager, which JDK 24 has no more', async () => {
    expect(await same('-Djava.security.manager=allow', '-cp', 'classes', 'Ends', 'manager')).toContain('it may not')
  })

  test('a jar, in a path with spaces', async () => {
    const folder = join(here.dir, 'with a space')
    mkdirSync(folder)
    jar('cfe', join(folder, 'the right.jar'), 'Right', '-C', join(here.dir, 'classes'), '.')
    await same('-jar', 'with a space/the right.jar')
  })

  test('a program in a module does the same when recorded', async () => {
    const source = join(here.dir, 'source')
    mkdirSync(join(source, 'p'), { recursive: true })
    writeFileSync(join(source, 'module-info.java'), 'module m {\n  exports p;\n}\n')
    writeFileSync(join(source, 'p/Main.java'), MODULAR)
    compile(join(here.dir, 'modules/m'), [join(source, 'module-info.java'), join(source, 'p/Main.java')])
    await same('-p', 'modules', '-m', 'm/p.Main')
  })

  test.skipIf(!ALL)('modules that the program makes itself', async () => {
    const source = join(here.dir, 'layer')
    mkdirSync(source)
    writeFileSync(join(source, 'Layer.java'), LAYER)
    compile(join(here.dir, 'layered'), [join(source, 'Layer.java')])
    cpSync(join(here.dir, 'modules'), join(here.dir, 'later'), { recursive: true })
    await same('-cp', 'layered', 'Layer', 'later')
  })

  test('a debugger may be attached', async () => {
    const words = ['-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0', '-cp', 'classes', 'Right']
    await same(...words)
  })
})

const MODULAR = `package p;

public class Main {
  int count;

  synchronized void add() {
    count++;
  }

  public static void main(String[] args) throws InterruptedException {
    Main main = new Main();
    Thread a = new Thread(main::add);
    Thread b = new Thread(main::add);
    a.start();
    b.start();
    a.join();
    b.join();
    System.out.println(main.count + " in " + Main.class.getModule());
  }
}
`

const LAYER = `import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Set;

public class Layer {
  public static void main(String[] args) throws Exception {
    ModuleFinder finder = ModuleFinder.of(Path.of(args[0]));
    ModuleLayer boot = ModuleLayer.boot();
    ModuleLayer layer = boot.defineModulesWithOneLoader(boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("m")), null);
    Class<?> main = layer.findLoader("m").loadClass("p.Main");
    main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
  }
}
`
