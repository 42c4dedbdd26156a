import type { HookProtocol } from '@donecheck/agents/internal/protocol/hooks'
import { claudeCodeHooks } from '@donecheck/agents/claude-code'
import { codexHooks } from '@donecheck/agents/codex'
import { copilotHooks } from '@donecheck/agents/internal/adapters/copilot'
import { cursorHooks } from '@donecheck/agents/internal/adapters/cursor'
import { geminiHooks } from '@donecheck/agents/internal/adapters/gemini'
import { qwenHooks } from '@donecheck/agents/internal/adapters/qwen'

export interface HookCall {
  readonly protocol: HookProtocol
  readonly event: string
  /** The agent waits for the answer before it ends its turn. */
  readonly isClaim: boolean
  /** The agent asks before a tool call, and a refusal stops only that call. */
  readonly isProposal: boolean
  /** After this the agent considers the hook hung. */
  readonly timeoutSeconds: number
}

/** Bundled together: one file with all tables loads faster than a second file. */
const hookProtocols = [claudeCodeHooks, codexHooks, geminiHooks, qwenHooks, copilotHooks, cursorHooks]

const usualTimeoutSeconds = 55
/** If the command line has no timeout. */
const verifyingTimeoutSeconds = 600

/** @returns a message if the words are invalid */
export function readHookCall([agent, event, ...rest]: readonly string[]): HookCall | string {
  const names = hookProtocols.map((known) => known.agent).join(', ')
  const protocol = hookProtocols.find((known) => known.agent === agent)
  if (protocol === undefined)
    return `there are no hooks of ${JSON.stringify(agent ?? '')}; known are ${names}`
  if (event === undefined) return `name the event: donecheck hook ${protocol.agent} EVENT`
  const registration = protocol.registrations.find((known) => (known.as ?? known.event) === event)
  const isClaim = registration?.verifies === true
  const said = timeoutIn(rest)
  if (typeof said === 'string') return said
  const usual = isClaim ? verifyingTimeoutSeconds : (registration?.maxSeconds ?? usualTimeoutSeconds)
  const isProposal = /^(?:pre|before)tool/iu.test(registration?.event ?? '')
  return { protocol, event, isClaim, isProposal, timeoutSeconds: said ?? usual }
}

function timeoutIn([flag, value, ...more]: readonly string[]): number | string | undefined {
  if (flag === undefined) return undefined
  const seconds = Number(value)
  if (flag !== '--timeout' || more.length > 0) return `unknown words: ${[flag, value, ...more].join(' ')}`
  return Number.isFinite(seconds) && seconds > 0
    ? seconds
    : `--timeout is ${value ?? 'missing'}; give seconds`
}

/** Reserved for recording the result after checks were aborted. */
const shareForTheRest = 0.1
const leastForTheRestMs = 4_000

export function secondsForChecks(timeoutSeconds: number): number {
  const allMs = timeoutSeconds * 1000
  return (allMs - restOf(allMs)) / 1000
}

function restOf(allMs: number): number {
  return Math.min(allMs / 2, Math.max(leastForTheRestMs, allMs * shareForTheRest))
}

/** @param work aborted shortly before the timeout @param passedMs already used @throws {TypeError} if it still does not end */
export async function withTimeLimit<Value>(
  timeoutSeconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
  passedMs = 0,
): Promise<Value> {
  const allMs = timeoutSeconds * 1000
  const restMs = restOf(allMs)
  const end = new AbortController()
  const until = (ms: number): number => Math.max(0, ms - passedMs)
  const timers = [setTimeout(() => end.abort('the time of the hook is nearly over'), until(allMs - restMs))]
  const tooLate = new Promise<never>((_, reject) => {
    const late = () =>
      reject(new TypeError(`the checks did not end within the ${timeoutSeconds} s of this hook`))
    timers.push(setTimeout(late, until(allMs - restMs / 3)))
  })
  try {
    return await Promise.race([work(end.signal), tooLate])
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
