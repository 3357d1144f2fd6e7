/** Java programs with other agents, with jars inside a jar, under Maven, and interrupted by Ctrl-C. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { jarAt } from '../java-libraries/maven.ts'
import { ROOT } from '../node-bugs/install.ts'
import { node, run } from '../node-bugs/run.ts'
import { compile, jar, noJava, place, PROGRAMS } from './java.ts'

const central = (path: string): Promise<string | undefined> => (noJava === '' ? jarAt(path) : Promise.resolve(undefined))
const jacoco = await central('org/jacoco/org.jacoco.agent/0.8.13/org.jacoco.agent-0.8.13-runtime.jar')
const boot = await central('org/springframework/boot/spring-boot-loader/3.3.5/spring-boot-loader-3.3.5.jar')
const mockito = await Promise.all([
  central('org/mockito/mockito-core/5.14.2/mockito-core-5.14.2.jar'),
  central('net/bytebuddy/byte-buddy/1.15.4/byte-buddy-1.15.4.jar'),
  central('net/bytebuddy/byte-buddy-agent/1.15.4/byte-buddy-agent-1.15.4.jar'),
  central('org/objenesis/objenesis/3.3/objenesis-3.3.jar'),
])
const unless = (there: boolean): string => (there ? '' : ' (skipped: Maven Central cannot be reached)')

describe.skipIf(noJava !== '')(`in company${noJava}`, () => {
  const here = place()

  test.skipIf(!jacoco)(`JaCoCo counts lines in the same JVM${unless(jacoco !== undefined)}`, async () => {
    const agent = `-javaagent:${jacoco!}=destfile=${join(here.dir, 'lines.exec')}`
    const wrong = await here.check(['--replays', '12'], ['java', agent, '-cp', 'classes', 'Wrong'])
    expect(wrong.out, wrong.err).toMatch(/^1\. FAILED 3 of 3 replays: lost update on Wrong\.count$/m)
    const right = await here.check(['--replays', '8'], ['java', agent, '-cp', 'classes', 'Right'])
    expect(right.out, right.err).toContain('No failure was found')
    expect(existsSync(join(here.dir, 'lines.exec'))).toBe(true)
  })

  test.skipIf(mockito.includes(undefined))(`Mockito rewrites a class that is observed${unless(!mockito.includes(undefined))}`, async () => {
    const classPath = [join(here.dir, 'mocked'), ...(mockito as string[])].join(delimiter)
    writeFileSync(join(here.dir, 'Mocked.java'), MOCKED)
    compile(join(here.dir, 'mocked'), ['-cp', classPath, join(here.dir, 'Mocked.java')])
    const plain = await here.java('-cp', classPath, 'Mocked')
    expect(plain.out, plain.err).toBe('7 2\n')
    const { code, out, err } = await here.check(['--replays', '4'], ['java', '-cp', classPath, 'Mocked'])
    expect(out, err).toMatch(/^7 2\n/)
    expect(code, out).toBe(0)
  })

  test.skipIf(!boot)(`jars inside a jar, as Spring Boot has them${unless(boot !== undefined)}`, async () => {
    const app = join(here.dir, 'boot')
    mkdirSync(join(app, 'BOOT-INF/lib'), { recursive: true })
    await run('jar', ['xf', boot!, 'org'], app)
    jar('cf', join(app, 'BOOT-INF/lib/wrong.jar'), '-C', join(here.dir, 'classes'), '.')
    writeFileSync(
      join(here.dir, 'App.java'),
      'package app;\n\npublic class App {\n  public static void main(String[] a) throws Exception {\n    Class.forName("Wrong").getMethod("main", String[].class).invoke(null, (Object) a);\n  }\n}\n',
    )
    compile(join(app, 'BOOT-INF/classes'), [join(here.dir, 'App.java')])
    const manifest = join(here.dir, 'manifest')
    const launcher = 'org.springframework.boot.loader.launch.JarLauncher'
    writeFileSync(
      manifest,
      `Main-Class: ${launcher}\nStart-Class: app.App\nSpring-Boot-Classes: BOOT-INF/classes/\nSpring-Boot-Lib: BOOT-INF/lib/\n`,
    )
    jar('-c', '-f', join(here.dir, 'boot.jar'), '-m', manifest, '-0', '-C', app, '.')
    const { out, err } = await here.check(['--replays', '12'], ['java', '-jar', 'boot.jar'])
    expect(out, err).toMatch(/^1\. FAILED 3 of 3 replays: lost update on Wrong\.count$/m)
  })

  test('a script that starts java is checked', async () => {
    writeFileSync(join(here.dir, 'start.sh'), '#!/bin/sh\nexec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp classes "$@"\n', { mode: 0o755 })
    const { out, err } = await here.check(['--replays', '12'], ['./start.sh', 'Wrong'])
    expect(out, err).toMatch(/^1\. FAILED 3 of 3 replays: lost update on Wrong\.count$/m)
  })

  test('mvn exec:java, which runs the program in the JVM of Maven', async ({ skip }) => {
    const dir = join(here.dir, 'maven')
    cpSync(join(here.dir, 'classes'), join(dir, 'classes'), { recursive: true })
    writeFileSync(join(dir, 'pom.xml'), POM)
    const maven = (name: string): string[] => ['mvn', '-q', '-B', `${EXEC}:java`, `-Dexec.mainClass=${name}`]
    // It fetches the plugin.
    const plain = await run('mvn', maven('Right').slice(1), dir, 600_000).catch(() => undefined)
    if (plain?.code !== 0) skip('no Maven, or it cannot fetch its plugin')
    const words = [join(ROOT, 'bin/heddle.js'), 'check', '--replays', '12', '--time', '600', '--', ...maven('Wrong')]
    const { out, err } = await node(words, dir, 900_000)
    // Maven ends with a change of colour, and no end of line.
    expect(stripVTControlCharacters(out), err).toMatch(/^1\. FAILED \d of \d replays: lost update on Wrong\.count$/m)
  })

  test('a source file that java compiles itself', async () => {
    cpSync(join(PROGRAMS, 'Wrong.java'), join(here.dir, 'Wrong.java'))
    const { out, err } = await here.check(['--replays', '12'], ['java', 'Wrong.java'])
    expect(out, err).toMatch(/^1\. FAILED 3 of 3 replays: lost update on Wrong\.count$/m)
    rmSync(join(here.dir, 'Wrong.java'))
  })

  test('Ctrl-C ends the recorded run, and what was recorded is looked at', async () => {
    const words = [join(ROOT, 'bin/heddle.js'), 'check', '--replays', '4', '--', 'java', '-cp', 'classes', 'Ends', 'hang']
    const child = spawn(process.execPath, words, { cwd: here.dir, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    child.stdout.on('data', (piece: Buffer) => {
      // It has printed what its threads did, and hangs now.
      if (!out.includes('2\n') && piece.includes('2\n')) child.kill('SIGINT')
      out += piece.toString()
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(out).toContain('The recorded run was stopped before it ended')
    expect(out).toContain('No failure was found')
    expect(code).toBe(0)
  })

  test('a recorded run that sleeps for long is stopped by --record-time', async () => {
    const { code, out, err } = await here.check(['--record-time', '20', '--replays', '4'], ['java', '-cp', 'classes', 'Ends', 'hang'])
    expect(out, err).toContain('Note: The recorded run was stopped')
    expect(code).toBeLessThan(2)
  })

  test('a StackOverflowError in synchronized methods is no failure of a schedule', async () => {
    const { code, out, err } = await here.check(['--replays', '6'], ['java', '-Xss256k', '-cp', 'classes', 'Ends', 'stack-caught'])
    expect(out, err).toContain('No failure was found')
    expect(code).toBe(0)
  })
})

const EXEC = 'org.codehaus.mojo:exec-maven-plugin:3.1.0'
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>heddle</groupId>
  <artifactId>exec</artifactId>
  <version>1</version>
  <build><outputDirectory>\${project.basedir}/classes</outputDirectory></build>
</project>
`

const MOCKED = `import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

public class Mocked {
  static final class Price {
    int of(String name) {
      return name.length();
    }
  }

  static int count;

  static synchronized void add() {
    count++;
  }

  public static void main(String[] args) throws InterruptedException {
    Price price = mock(Price.class);
    when(price.of("a")).thenReturn(7);
    Thread a = new Thread(Mocked::add);
    Thread b = new Thread(Mocked::add);
    a.start();
    b.start();
    a.join();
    b.join();
    System.out.println(price.of("a") + " " + count);
  }
}
`
