/** How a turn of the agent ended, in the words of the kit. Pure. */
import { z } from 'zod'
import { providerFailure, type TurnEnded } from '../../../protocol/stream/index.ts'
import type { DriveFailure } from '@donecheck/core/events'
import type { Answer } from '../agent/connection.ts'

const response = z.object({ stopReason: z.string() })

/** An end is the agent's claim only where it says `end_turn`. */
export function turnEnd(answer: unknown): TurnEnded {
  const parsed = response.safeParse(answer)
  const ended = { kind: 'turn-ended' as const, text: '' }
  if (!parsed.success) return { ...ended, problem: 'the agent ended its turn without a stop reason' }
  switch (parsed.data.stopReason) {
    case 'end_turn':
      return ended
    case 'max_tokens':
      return { ...ended, wasCutOff: true }
    case 'max_turn_requests':
      return { ...ended, problem: 'the agent reached its own bound on the model requests of one turn' }
    case 'refusal':
      return { ...ended, problem: 'the agent refused to go on' }
    case 'cancelled':
      return { ...ended, problem: 'the agent says that the turn was cancelled' }
    default:
      return {
        ...ended,
        problem: `the agent ended its turn for a reason that nobody knows: "${parsed.data.stopReason}"`,
      }
  }
}

/** JSON-RPC code of the protocol. */
const authenticationRequired = -32_000
const maxMessageLength = 2000

/**
 * An error instead of an answer. The protocol has a code for one cause alone; agents give the status of their provider as
 * code, or say it in words.
 * @param what was asked, such as `session/prompt`
 */
export function failureOf(
  what: string,
  error: Omit<Extract<Answer, { kind: 'refused' }>, 'kind'>,
): DriveFailure {
  const said = `${error.message}${detailsOf(error.data)}`.slice(0, maxMessageLength).toWellFormed()
  if (error.code === authenticationRequired)
    return {
      kind: 'configuration',
      message: `the agent wants somebody to log in first (${said}); start it once by hand and log in, or set its API key`,
      retryable: false,
    }
  return providerFailure(statusOf(error.code, said), `the agent answered ${what} with an error: ${said}`)
}

/** As the status of HTTP that it is, or that the words are about; without one it may pass. */
function statusOf(code: number, said: string): number {
  if (code >= 400 && code < 600) return code
  // Unknown method, or parameters that it does not take: asking again would not help.
  if (code === -32_601 || code === -32_602) return 400
  if (/rate.?limit|too many requests|overloaded/iu.test(said)) return 429
  if (/invalid.{0,10}api.?key|unauthori[sz]ed/iu.test(said)) return 401
  const reported = /\b(4\d\d|5\d\d)\b/u.exec(said)?.[1]
  return reported === undefined ? 500 : Number(reported)
}

function detailsOf(data: unknown): string {
  const parsed = z
    .union([z.string(), z.object({ details: z.string() }).transform(({ details }) => details)])
    .safeParse(data)
  return parsed.success ? `: ${parsed.data}` : ''
}
