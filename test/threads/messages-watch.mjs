/**
 * Loads the watchers of buffers, messages and workers into every thread of a program, with a stand-in for the file of the thread: each event is a
 * line. What the threads did is in the file that MESSAGES_LOG names. Nothing is waited for at the top, so that it can be required.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { Names } from '../../dist/base/names.js'
import { labelOf, notes, watchBuffers } from '../../dist/runtime/js/threads/buffers.js'
import { newControl, newTaskId, useControl } from '../../dist/runtime/js/threads/control.js'
import { watchMessages } from '../../dist/runtime/js/threads/messages.js'
import { takeStart } from '../../dist/runtime/js/threads/start.js'
import { readyForText } from '../../dist/runtime/js/threads/text-workers.js'
import { startSteps } from '../../dist/runtime/js/threads/steps.js'
import { beginWorker, watchWorkers } from '../../dist/runtime/js/threads/workers.js'
import { OPS } from '../../dist/trace/ops.js'

/** `preload` is the file that was given to --require. */
export function watch(preload) {
  const flags = ['--require', preload]
  const log = process.env['MESSAGES_LOG'] || undefined
  const start = isMainThread ? undefined : takeStart()
  const config = isMainThread ? log : start.config || undefined
  useControl(start?.control ?? newControl())
  const task = isMainThread ? { name: 'main', id: newTaskId() } : { name: start.name, id: start.id }
  const lines = []
  const stream = {
    stamp: 0,
    signals: new Names(),
    tasks: new Names(),
    place: () => 0,
    add(op, target) {
      const { text, target: kind } = OPS[op]
      const name = kind === 'task' ? this.tasks.at(target) : kind === 'signal' ? this.signals.at(target) : ''
      if (config !== undefined) lines.push(`${this.stamp} ${task.name} ${text}(${name})\n`)
    },
  }
  const finish = () => {
    if (config !== undefined) appendFileSync(config, lines.join('') + [...notes].map((note) => `note ${note}\n`).join(''))
    lines.length = 0
  }
  startSteps(task, stream)
  if (start?.isText) readyForText(() => undefined)
  if (isMainThread) {
    process.execArgv.splice(process.execArgv.indexOf('--require'), 2)
    delete process.env['MESSAGES_LOG']
    process.on('exit', finish)
  }
  watchBuffers()
  watchMessages(() => false)
  if (start !== undefined) beginWorker(start, finish)
  watchWorkers({ config: config ?? '', flags })
  Object.defineProperty(globalThis, 'labelOf', { value: (buffer) => buffer && labelOf(buffer)?.label, enumerable: false })
}
