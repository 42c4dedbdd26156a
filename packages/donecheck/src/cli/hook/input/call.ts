/** How an agent calls the entry of its hooks: `donecheck hook AGENT EVENT [--timeout SECONDS]`. */
import type { HookProtocol } from '@donecheck/agents/hooks'
import { claudeCodeHooks } from '@donecheck/agents/claude-code'
import { codexHooks } from '@donecheck/agents/codex'
import { copilotHooks } from '@donecheck/agents/copilot'
import { cursorHooks } from '@donecheck/agents/cursor'
import { geminiHooks } from '@donecheck/agents/gemini'
import { qwenHooks } from '@donecheck/agents/qwen'

export interface HookCall {
  readonly protocol: HookProtocol
  /** The agent's own name of the event, or the word that stands for it. */
  readonly event: string
  /** The agent waits for its answer before it lets its turn end. */
  readonly isClaim: boolean
  /** The agent asks before a call of a tool: a refusal keeps that from running, and nothing else. */
  readonly isProposal: boolean
  /** After which the agent takes the hook for hanging. */
  readonly timeoutSeconds: number
}

/** All at once: they are small tables, and one file with all of them is read sooner than a second one. */
const hookProtocols = [claudeCodeHooks, codexHooks, geminiHooks, qwenHooks, copilotHooks, cursorHooks]

/** A hook that does not verify answers at once; this is for the worst of days. */
const usualTimeoutSeconds = 55
/** Where the command does not say: what agents give a hook that they know nothing of. */
const verifyingTimeoutSeconds = 600

/** A text says what is wrong with the words. */
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
