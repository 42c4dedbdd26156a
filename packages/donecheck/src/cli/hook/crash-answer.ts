/** A failure of our own: loud, and never a silent pass of a claim. */
import type { HostAnswer } from '../../agents/index.ts'
import type { HomeSurroundings } from '../../state-home.ts'
import type { HookCall } from './call.ts'
import { countCrash, mostCrashes } from './crashes.ts'
import { recordLetGo } from './let-go.ts'

export interface Crash {
  readonly call: HookCall
  readonly session: string
  readonly around: HomeSurroundings
  readonly onCrash: 'hold' | 'let-go'
}

/** What the agent sent cannot be read: so nobody can say what it would do. */
export class UnreadableInput extends TypeError {
  override readonly name = 'UnreadableInput'
}

export function answerToCrash(error: unknown, { call, session, around, onCrash }: Crash): HostAnswer {
  const problem = error instanceof Error ? error.message : String(error)
  const notice = `donecheck could not check this (${call.event}): ${problem}`
  if (call.isProposal && error instanceof UnreadableInput) return { kind: 'refuse', reason: notice }
  if (!call.isClaim) return { kind: 'pass', notice }
  const count = onCrash === 'hold' ? countCrash(session, around) : undefined
  if (count === undefined || count > mostCrashes) {
    recordLetGo({ session, atMs: Date.now(), problem }, around)
    return { kind: 'pass', notice: `${notice}. The agent is let go, and nothing is verified.` }
  }
  const feedback = [
    `The checks could not be asked: ${problem}`,
    'Nothing is verified. If you have changed what donecheck needs, put it back; otherwise say to your user that it is broken.',
  ].join('\n')
  return { kind: 'send-back', feedback, notice }
}
