/** What `heddle doctor` says about Java programs. Without Java programs no JDK is needed, so nothing here is an error. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Doctor, Look } from '../contract.ts'
import { findAgent } from './agent.ts'

export const doctor: Doctor = {
  platforms: {
    programs: 'Java programs',
    support: { 'Linux x86-64': 'tried', 'Linux arm64': 'expected', macOS: 'expected', Windows: 'not tried' },
  },
  looks: [jvm, agent],
  planted: {
    what: 'optional: a planted bug in Java',
    plant(cwd) {
      if (!('ok' in jvm()) || !('ok' in agent())) return undefined
      writeFileSync(join(cwd, 'Planted.java'), PLANTED)
      return ['java', 'Planted.java']
    },
  },
  limits: 'Not supported for Java programs: virtual threads, class files newer than JDK 25. Not tested: other languages of the JVM.',
}

export function jvm(): Look {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8', timeout: 20_000 })
  if (status !== 0) return { hint: 'Optional: java is not installed; only Java programs need it (`apt install openjdk-17-jre-headless`).' }
  return { ok: `optional: Java ${/version "([^"]+)"/.exec(stderr)?.[1] ?? '(unknown version)'} is installed, for Java programs` }
}

export function agent(): Look {
  const jar = findAgent()
  if (jar === undefined)
    return {
      hint: 'Optional: the agent for Java programs is not built; building it needs a JDK and Maven (`npm run build` says what is missing).',
    }
  return { ok: `optional: the agent for Java programs is installed: ${jar}` }
}

/** Two threads add one each. It passes as long as one is done before the other begins. */
const PLANTED = `public class Planted {
  static int count;
  public static void main(String[] args) throws Exception {
    Thread a = new Thread(() -> count++);
    Thread b = new Thread(() -> count++);
    a.start();
    b.start();
    a.join();
    b.join();
    System.exit(count == 2 ? 0 : 1);
  }
}
`
