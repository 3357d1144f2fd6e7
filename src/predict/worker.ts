/** A thread that decides beside the main one: crew.ts starts it, lanes.ts describes how the work is shared. */
import { parentPort, workerData } from 'node:worker_threads'
import { takeOver } from '../trace/hand-over.ts'
import { answerLane, type BlockAnswer } from './answer-blocks.ts'
import { sent, type Message, type WorkerTask } from './crew.ts'
import { buildEngine } from './engine.ts'
import { isDealt, orderOfLanes, Share } from './lanes.ts'

/** How long answers may wait for others to be sent with them. */
const EVERY_MS = 20

const task = workerData as WorkerTask
const share = new Share(task.share)
const engine = await buildEngine(takeOver(task.trace), task.engine, () => undefined, task.index)
let pending: BlockAnswer[] = []
let ends: Message['ends'][number][] = []
let cuts: Message['cuts'][number][] = []
let last = performance.now()

function send(): void {
  const message: Message = { answers: pending.map((answer) => ({ ...answer, found: answer.found.map(sent) })), ends, cuts }
  parentPort!.postMessage(message)
  pending = []
  ends = []
  cuts = []
  last = performance.now()
}

for (const at of orderOfLanes(task.lanes, task.thread)) {
  const lane = task.lanes[at]!
  if (!isDealt(lane) || share.stopped) continue
  await answerLane(engine, { ungrouped: task.ungrouped, attempts: task.attempts, declarations: [] }, lane, at, share, {
    answer: (answer) => {
      pending.push(answer)
      if (performance.now() - last > EVERY_MS) send()
    },
    end: (...one) => void ends.push(one),
    cut: (...one) => void cuts.push(one),
    pause: () => undefined,
  })
  send()
}
