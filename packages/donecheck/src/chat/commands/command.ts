/** A slash command, and what it may do to the session. */
import type { RunState } from '@donecheck/core/state'
import type { TopUp } from '@donecheck/engine/compose'
import type { Line } from '@donecheck/engine/report'
import type { ChatHost } from '../host.ts'
import type { Steps } from '../session/steps.ts'

export interface Choice {
  readonly value: string
  readonly description: string
}

export interface SlashCommand {
  readonly name: string
  /** As the help shows it; empty: it takes none. */
  readonly argument: string
  readonly help: string
  /** What the argument could be. */
  complete?(session: CommandSession): readonly Choice[] | Promise<readonly Choice[]>
  /** @throws {UsageError} for words that it cannot take */
  perform(words: string, session: CommandSession): void | Promise<void>
}

/** Such as `yes`, with the words of the person where it is a no. */
export interface Answer {
  readonly kind: AnswerKind
  readonly words: string
}

export const answerKinds = ['yes', 'session', 'always', 'no', 'never', 'edit'] as const
export type AnswerKind = (typeof answerKinds)[number]

export interface CommandSession {
  readonly host: ChatHost
  readonly steps: Steps
  /** Of the run that works, or worked last. Undefined: there was none. */
  readonly run: RunState | undefined
  readonly isWorking: boolean
  /** Files were taken back, or put in place again, since the checks were asked. */
  readonly isStale: boolean
  /** What waits for an answer, the first first, in a line each. */
  readonly waiting: readonly string[]
  readonly show: (lines: readonly Line[]) => void
  readonly showDiff: (diff: string) => void
  /** Goes on with the run. @param words empty: without a word */
  readonly goOn: (words: string) => Promise<void>
  /** Of the first question. @throws {UsageError} for what this one cannot be answered with */
  readonly answer: (answer: Answer) => void
  /** Counts once the run goes on. */
  readonly addTopUp: (topUp: TopUp) => void
  readonly pick: (runId: string) => Promise<void>
  /** The person has moved files. @param note told to the drive with the next message */
  readonly moved: (note: string) => void
  /** Opens the latest calls, or folds them. */
  readonly toggleCalls: () => void
  readonly commands: () => readonly SlashCommand[]
  readonly leave: () => void
}
