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
  readonly argument: string
  readonly help: string
  complete?(session: CommandSession): readonly Choice[] | Promise<readonly Choice[]>
  /** @throws {UsageError} for words that it cannot take */
  perform(words: string, session: CommandSession): void | Promise<void>
}

/** An answer such as `yes`, with a reason if it is a no. */
export interface Answer {
  readonly kind: AnswerKind
  readonly words: string
}

export const answerKinds = ['yes', 'session', 'always', 'no', 'never', 'edit'] as const
export type AnswerKind = (typeof answerKinds)[number]

export interface CommandSession {
  readonly host: ChatHost
  readonly steps: Steps
  readonly run: RunState | undefined
  readonly isWorking: boolean
  /** Whether files were moved by /undo since the checks last ran. */
  readonly isStale: boolean
  readonly waiting: readonly string[]
  readonly show: (lines: readonly Line[]) => void
  readonly showDiff: (diff: string) => void
  /** Continues the run. @param words sent to the agent first; may be empty */
  readonly goOn: (words: string) => Promise<void>
  readonly answer: (answer: Answer) => void
  readonly addTopUp: (topUp: TopUp) => void
  readonly pick: (runId: string) => Promise<void>
  /** @param note sent to the agent with the next message */
  readonly moved: (note: string) => void
  readonly toggleCalls: () => void
  readonly commands: () => readonly SlashCommand[]
  readonly leave: () => void
}
