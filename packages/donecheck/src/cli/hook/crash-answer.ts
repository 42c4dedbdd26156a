/** A failure of our own: loud, and never a silent pass of a claim or of a call that could write. */
import type { HostAnswer, HostEvent } from '../../agents/index.ts'
import type { HomeSurroundings } from '../../state-home.ts'
import type { HookCall } from './call.ts'
import { countCrash, mostCrashes } from './crashes.ts'
import { recordLetGo } from './let-go.ts'
import type { HookRequest } from './request.ts'

export interface Crash {
  readonly call: HookCall
  readonly session: string
  readonly around: HomeSurroundings
  /** Undefined: it could not be read. */
  readonly event: HostEvent | undefined
  readonly folder: string | undefined
  readonly request: HookRequest | undefined
}

export async function answerToCrash(error: unknown, crash: Crash): Promise<HostAnswer> {
  const { call, event, request } = crash
  const problem = messageOf(error)
  const notice = `donecheck could not check this (${call.event}): ${problem}`
  // What the agent sent cannot be read: so nobody can say what it would do.
  if (call.isProposal && event === undefined) return { kind: 'refuse', reason: notice }
  const mustHold = request?.configuration.onCrash !== 'let-go'
  if (event?.kind === 'tool-proposed' && mustHold) return answerToProposal(event, notice, request)
  if (!call.isClaim) return { kind: 'pass', notice }
  if (!mustHold || !mayHold(crash)) {
    const { session, around } = crash
    const folder = request?.workFolder ?? crash.folder
    const where = folder === undefined ? {} : { folder }
    recordLetGo({ session, atMs: Date.now(), problem, ...where }, around)
    return { kind: 'pass', notice: `${notice}. The agent is let go, and nothing is verified.` }
  }
  const feedback = [
    `The checks could not be asked: ${problem}`,
    'Nothing is verified. If you have changed what donecheck needs, put it back; otherwise say to your user that it is broken.',
  ].join('\n')
  return { kind: 'send-back', feedback, notice }
}

/** Where nobody can count, the agent's own word that it was held before is all that bounds it. */
function mayHold({ session, around, event }: Crash): boolean {
  const count = countCrash(session, around)
  if (count !== undefined) return count <= mostCrashes
  return event?.kind === 'stopping' && !event.wasSentBack
}

type Proposal = Extract<HostEvent, { kind: 'tool-proposed' }>

/**
 * Whoever breaks our record must win nothing by it: the gate is asked all the same, and where even that cannot be, only what
 * reads may go on. It does not wedge the agent: it may still look, say what is broken, and end its turn.
 */
async function answerToProposal(
  { call }: Proposal,
  notice: string,
  request: HookRequest | undefined,
): Promise<HostAnswer> {
  if (call.act.kind === 'read') return { kind: 'pass', notice }
  if (request === undefined) return refusal(notice)
  try {
    const { judgedAlone } = await import('./full-ride.ts')
    const answer = await judgedAlone(call, request)
    return answer.kind === 'pass' ? { ...answer, notice: `${notice}. The call is not on record.` } : answer
  } catch (error) {
    return refusal(`${notice}; nor can it be judged: ${messageOf(error)}`)
  }
}

function refusal(notice: string): HostAnswer {
  const wayOut =
    'Until then only what reads may run. Say so to your user, who can install the hooks anew, or let agents go on without: donecheck uninstall.'
  return { kind: 'refuse', reason: `${notice}. ${wayOut}` }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
