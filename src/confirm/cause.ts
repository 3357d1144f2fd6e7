/** What is known of the cause of a failure, as part of a finding. src/cause finds it. */

/** How an experiment ended: `unclear` where the order that it asks for did not come about. */
export type Trial = 'failed' | 'passed' | 'unclear' | 'not tried'

export interface Cause {
  /**
   * `cause`: with the named steps in their recorded order the failure vanishes, and to turn them round alone brings it back. `one way`: to turn them round alone is enough, but it also fails
   * without. `needed`: without it there is no failure, but more is needed. `not proved`: the experiments were not made, or say nothing.
   */
  readonly proof: 'cause' | 'one way' | 'needed' | 'not proved'
  /** Everything delayed as before, the named steps in their recorded order. */
  readonly asRecorded: Trial
  /** Nothing delayed but what turns the named steps round. */
  readonly alone: Trial
  /** Of one way: another conflict, with which it fails while this one is as it was recorded. A sentence. */
  readonly other?: string | undefined
  /** Instructions of the schedule that failed first, and of the one that was kept; replays that it took. `least`: none of those that are left can be left out. */
  readonly shrunk: { readonly before: number; readonly after: number; readonly replays: number; readonly least: boolean }
  /** What has to be added to a plain run for it to fail. */
  readonly cost?: Cost | undefined
}

export interface Cost {
  /** A clause: `fs.readFile (a.js:3) 40 ms late`. */
  readonly needs: string
  /** The time that is added; left out where it is a matter of switches between threads. */
  readonly ms?: number
}
