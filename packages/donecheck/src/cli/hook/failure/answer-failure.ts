/** Our own failures are reported, and never pass a claim or a writing call. */
import type { HostAnswer, HostEvent } from '@donecheck/agents/host'
import { given, messageOf, type HomeEnvironment } from '@donecheck/engine/base'
import type { HookCall } from '../input/call.ts'
import { countCrash, maxCrashes, recordAllowedStop } from '../session/session-notes.ts'
import type { HookRequest } from '../input/request.ts'

export interface CallProgress {
  readonly call: HookCall
  readonly home: HomeEnvironment
  session: string
  event?: HostEvent
  folder?: string
  request?: HookRequest
}

export async function answerFailure(error: unknown, progress: CallProgress): Promise<HostAnswer> {
  const { call, event, request, session, home } = progress
  const problem = messageOf(error)
  const notice = `donecheck could not check this (${call.event}): ${problem}`
  // Unreadable input: nobody can tell what the call would do.
  if (call.isProposal && event === undefined) return { kind: 'refuse', reason: notice }
  const mustHold = request?.configuration.onCrash !== 'allow-stop'
  if (event?.kind === 'tool-proposed' && mustHold) return answerToProposal(event, notice, request)
  if (!call.isClaim) return { kind: 'pass', notice }
  if (!mustHold || !mayHold(progress)) {
    const folder = request?.workFolder ?? progress.folder
    recordAllowedStop({ session, atMs: Date.now(), problem, ...given({ folder }) }, home)
    return { kind: 'pass', notice: `${notice}. The agent is allowed to stop, and nothing is verified.` }
  }
  const feedback = [
    `The checks could not be asked: ${problem}`,
    'Nothing is verified. If you have changed what donecheck needs, put it back; otherwise say to your user that it is broken.',
  ].join('\n')
  return { kind: 'block', feedback, notice }
}

/** If crashes cannot be counted, only the agent's own report of an earlier block limits us. */
function mayHold({ session, home, event }: CallProgress): boolean {
  const count = countCrash(session, home)
  if (count !== undefined) return count <= maxCrashes
  return event?.kind === 'stopping' && !event.wasBlocked
}

type Proposal = Extract<HostEvent, { kind: 'tool-proposed' }>

/** Breaking our record must gain nothing: the gate still decides, and if it cannot, only reads pass. */
async function answerToProposal(
  { call }: Proposal,
  notice: string,
  request: HookRequest | undefined,
): Promise<HostAnswer> {
  if (call.act.kind === 'read') return { kind: 'pass', notice }
  if (request === undefined) return refusal(notice)
  try {
    const { answerStateless } = await import('../session/full-session.ts')
    const answer = await answerStateless(call, request)
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
