/**
 * Replays a schedule inside the program. Started before the program's first line. From then on the program runs on a virtual clock, and the
 * operations that the schedule names are delayed as it says. With an empty schedule the program does what it does in a plain run.
 */
import { onCall } from '../calls/record.ts'
import * as core from '../core.ts'
import type { RunConfig } from '../protocol.ts'
import type { Session } from '../session.ts'
import { atBegin } from '../tests.ts'
import { onMove, restartClock, tick } from './clock.ts'
import { installDates } from './dates.ts'
import { earlyTurn, keepEarly, keepEngine } from './early.ts'
import { enginePosted, watchZlib } from './engine.ts'
import { guidePosted, guideReleased, guideTurn, isEarly, isExpected, readGuide, setAt } from './guide.ts'
import { callMade, giveUpAtExit, holdIfPlanned, namePlaces, onRelease, planHolds, turnBegan } from './holds.ts'
import { immediatePosted, installImmediates } from './immediates.ts'
import { watchLoader } from './loading.ts'
import { notes } from './notes.ts'
import { installOperations, watchCompiling } from './operations.ts'
import { outsideEnded, outsidePosted, watchStdin } from './outside.ts'
import { cover, onDue, runLate } from './phases.ts'
import { restartPump, startPump } from './pump.ts'
import { planStalls, stallPosted } from './stalls.ts'
import { notePosted, onSet, Timeout } from './timeout.ts'
import { installTimers } from './timers.ts'

type Reporting = Pick<Session, 'sites' | 'replay' | 'stuck' | 'beforeEnd' | 'writeReport' | 'flush' | 'now' | 'isOpen'>

export function startReplay(config: RunConfig, session: Reporting): void {
  const { delays, horizon } = config.schedule?.kind === 'delays' ? config.schedule : { delays: [], horizon: config.schedule ? 0 : Infinity }
  planHolds(delays)
  namePlaces((site) => session.sites.names.at(session.sites.toTrace(site)).split(' < ', 1)[0]!)
  planStalls(delays)
  if (delays.some((i) => i.do === 'waylay')) onCall(callMade)
  session.replay = notes
  // Turns are stamped with the clock the program lives on: the rules for timers are checked against it.
  const [since, from] = [session.now(), tick()]
  session.now = () => since + (tick() - from) * 100
  session.beforeEnd.push(giveUpAtExit)

  onMove(cover)
  onDue((due) => {
    if (!(due instanceof Timeout) || due.op === undefined) return false
    if (holdIfPlanned(due.op, due.op.dispatches + 1, undefined, () => runLate(due))) return true
    if (!isEarly(due.op)) return false
    keepEarly(due.op, (done) => runLate(due, done))
    return true
  })
  installTimers()
  installDates()
  installOperations()
  watchCompiling()
  watchStdin()
  watchLoader(keepEngine)
  core.listen({
    posted(op, resource) {
      if (op.kind === 'timer') notePosted(op)
      if (op.kind === 'immediate' && isExpected(op)) immediatePosted(op, resource)
      outsidePosted(op, resource)
      enginePosted(op, resource)
      stallPosted(op)
    },
    turnBegan(turn, op) {
      outsideEnded(op)
      turnBegan(turn, op)
    },
    answered: turnBegan,
  })
  if (config.guide !== undefined) {
    readGuide(config.guide, delays.length > 0)
    installImmediates()
    watchZlib()
    onRelease(guideReleased)
    onSet(setAt)
    // The time of a turn is that of the guide.
    core.listen(
      {
        turnBegan(_turn, op) {
          earlyTurn()
          guideTurn(op)
        },
      },
      true,
    )
    core.listen({ posted: guidePosted })
  }
  atBegin(() => {
    restartClock()
    restartPump()
  })
  startPump({
    horizon,
    isOn: () => session.isOpen,
    onStuck() {
      session.stuck = true
      session.flush()
      session.writeReport()
    },
  })
}
