/** Hooks that record nothing: for replays that need only the stand-ins for servers, and for modules that run in the loader's thread. */
import type { MakeHooks, ModuleHooks } from '../../../instrument/hooks.ts'
import { onlyCalls } from '../calls/index.ts'
import { latencyHooks } from '../stubs.ts'
import type { Session } from '../session.ts'

const nothing = (): void => {}
const first = <T>(value: T): T => value
const fourth = <T>(_a: unknown, _b: unknown, _c: unknown, value: T): T => value
const scope = {}

export const IDLE: ModuleHooks = {
  r: first,
  er: first,
  et: first,
  at: first,
  k: first,
  kf: (_name, callee) => callee,
  p: first,
  ew: fourth,
  en: () => false,
  eu: nothing,
  d: first,
  m: first,
  i: first,
  o: first,
  j: first,
  t: first,
  w: fourth,
  u: fourth,
  g: fourth,
  vr: fourth,
  vw: fourth,
  vu: fourth,
  y: nothing,
  q: () => -1,
  z: (_before, value) => value,
  e: nothing,
  x: nothing,
  c: nothing,
  h: (_base, _name, _site, _key, last) => last,
  f: (_target, _site, source) => source,
  s: () => scope,
  b: (_site, value) => value,
  a: () => false,
  ar: (_waits, value) => value,
  l: () => Promise.resolve(),
}

export const idleHooks: MakeHooks = () => IDLE

/** Stand-ins for servers, if they are asked for, and watched calls. */
export function standInHooks(session: Session): MakeHooks {
  return (file, encoded) => ({ ...IDLE, ...latencyHooks(session.config, file, encoded), ...onlyCalls(session, file, encoded) })
}
