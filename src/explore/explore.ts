/** Exploration of a program: each replay is a run to predict from, of its threads and of its event loop. */
import type { Finding } from '../confirm/confirm.ts'
import type { Run } from '../frontends/contract.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Exploring } from './drive.ts'
import { exploreLoop, type Asked } from './loop.ts'
import { exploreThreads } from './threads.ts'

export async function explore(run: Run, exploring: Exploring, asked: Asked): Promise<Finding<Saved>[]> {
  const found = await exploreThreads(run, exploring)
  return [...found, ...(await exploreLoop(run, exploring, asked))]
}
