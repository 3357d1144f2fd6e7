/** The progress of a check: for the line on the terminal, for callers of the library, and for `heddle open`. */

export type Progress =
  | (Said & { readonly phase: 'recording' })
  /** The recorded run has ended. Predicting has hardly any pauses, so nothing may be said for a while. */
  | (Said & { readonly phase: 'predicting' })
  | (Said & { readonly phase: 'replaying' })
  /** The last one. `interrupted`: it was stopped, and what was found until then is the result. */
  | (Said & { readonly phase: 'done'; readonly interrupted: boolean })

export type Phase = Progress['phase']

interface Said {
  /** A few words for people, in small letters: `12 replays, last one FAILED`. */
  readonly text: string
  /** So far, and how many are allowed. */
  readonly replays: number
  readonly mostReplays: number
  /** Predictions that were judged so far, and those of them that FAILED. */
  readonly findings: number
  readonly failed: number
}

export type OnProgress = (progress: Progress) => void

/** Keeps count, so that whoever has something to say need not. */
export class Teller {
  /** Who replays knows how often. */
  replays: () => number = () => 0
  private findings = 0
  private failed = 0
  private last = ''
  private said: { readonly phase: Exclude<Phase, 'done'>; readonly text: string } | undefined
  /** Who else has something to say: of the workers, where there are some. */
  also: () => string = () => ''

  constructor(
    private readonly tell: OnProgress,
    private readonly mostReplays: number,
  ) {}

  say(phase: Exclude<Phase, 'done'>, text: string): void {
    this.said = { phase, text }
    this.tell({ phase, text: `${text}${this.also()}`, ...this.counts() })
  }

  /** The same once more, with what others have to say by now. */
  again(): void {
    if (this.said) this.say(this.said.phase, this.said.text)
  }

  /** A replay begins. */
  began(): void {
    const replays = this.replays()
    if (replays > 0) this.say('replaying', `${replays} ${replays === 1 ? 'replay' : 'replays'}${this.last}`)
  }

  judged(status: string): void {
    this.findings++
    if (status === 'FAILED') this.failed++
    this.last = `, last one ${status}`
    this.say('replaying', `${this.replays()} replays${this.last}`)
  }

  done(text: string, interrupted: boolean): void {
    this.tell({ phase: 'done', text, interrupted, ...this.counts() })
  }

  private counts(): Pick<Said, 'replays' | 'mostReplays' | 'findings' | 'failed'> {
    return { replays: this.replays(), mostReplays: this.mostReplays, findings: this.findings, failed: this.failed }
  }
}

/** What `heddle open` sends to the page, as the data of server-sent events. `done` is also said where no check is running; `findings`: read findings.json again. */
export type LiveEvent = ({ readonly type: 'progress' } & Progress) | { readonly type: 'findings' }
