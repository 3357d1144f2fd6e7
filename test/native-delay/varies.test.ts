/**
 * Delay mode end to end: programs whose steps have other numbers in every run. The schedule of steps goes astray; held at a place of the program instead, the
 * thread finds freed what it uses. And the runtime by itself: who is held, and what lets go.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { nativeFolder, writeConfig } from '../../src/frontends/native/config-file.ts'
import { runtimeLibrary } from '../../src/frontends/native/toolchain.ts'
import { checked } from '../seeds/check-native.ts'
import { noNative, Workshop } from '../seeds/native-programs.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

describe.skipIf(noNative !== '')(`delays ${noNative}`, () => {
  const workshop = new Workshop()
  afterAll(() => workshop.close())

  it.each([
    ['varies', 'read'],
    ['varies-locked', 'lock'],
  ])('%s does not do the same twice, and fails by them', async (name, held) => {
    const program = workshop.build(here(`${name}.c`))
    // With files of its own every replay would find no cache, as the recorded run did.
    const options = { maxFindings: 1, replays: 20, confirm: 5, isolate: ['none'] } as const
    const { findings } = await checked(program, mkdtempSync(join(workshop.folder, 'in-')), options)
    const failed = findings.filter(({ status }) => status === 'FAILED')
    expect(
      failed.map(({ prediction: { pattern, schedule }, replays, ordered }) => ({
        // The index is read, and then the block that was freed: either is what is too late.
        pattern: pattern === 'stale read' ? 'use after free' : pattern,
        held: schedule.kind === 'holds' ? schedule.holds.map(({ does }) => does) : schedule.kind,
        replays,
        ordered,
      })),
    ).toEqual([
      {
        pattern: 'use after free',
        held: [held],
        replays: { runs: 5, failures: 5 },
        ordered: true,
      },
    ])
  })

  describe('the runtime', () => {
    /** `most` and `ms` of who comes to `touch` until another comes to `also`; `past`: main goes on when the thread has. */
    async function run(most: number, ms: number, past = false): Promise<{ readonly out: string[]; readonly said: string[] }> {
      const program = workshop.build(here('held.c'))
      const { pcs } = await workshop.record(program, fileURLToPath(new URL('.', import.meta.url)))
      const at = (name: string): string => [...pcs].find(([site]) => site.endsWith(` ${name}`))![1][0]!.replace(/^.*\+0x/, '')
      const folder = writeConfig(workshop.folder, {
        mode: 'delay',
        program,
        poison: false,
        delays: [`${at('touch')} 0 ${at('also')} 2 ${most} ${ms} 1`],
      })
      const env = { ...process.env, LD_PRELOAD: runtimeLibrary(), HEDDLE_NATIVE: folder }
      const { stdout } = spawnSync(program, past ? ['past'] : [], { env, encoding: 'utf8', timeout: 300_000 })
      const said = readFileSync(join(nativeFolder(workshop.folder), 'result'), 'utf8').split('\n')
      return { out: stdout.trim().split('\n'), said: said.filter((line) => line.startsWith('delay')) }
    }

    it('lets go when another thread has done the other thing with the same object', async () => {
      expect(await run(3, 30_000)).toEqual({ out: ['y', 'touched x'], said: ['delay 1 held', 'delay 1 released'] })
    })

    it('lets go when that takes too long', async () => {
      expect(await run(3, 1, true)).toEqual({ out: ['touched x', 'y'], said: ['delay 1 held', 'delay 1 gave-up'] })
    })

    it('holds nobody more often than it may', async () => {
      expect(await run(0, 3000, true)).toEqual({ out: ['touched x', 'y'], said: [] })
    })
  })
})
