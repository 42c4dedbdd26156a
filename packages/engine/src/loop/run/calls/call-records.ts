import {
  maskFact,
  type JsonValue,
  type ToolCall,
  type Fact,
  type NewEvent,
  type RunEvent,
} from '@donecheck/core/internal/events'
import { maskValue, type SecretValues, maskText } from '@donecheck/core/internal/secrets'
import { given, isJsonList, sha256 } from '../../../base/index.ts'
import type { ProposedCall, ToolOutcome } from '../../../ports/loop.ts'
import type { LiveRun } from '../session/session.ts'
import { traitsOf, type RunState } from '@donecheck/core/internal/state'
import { readCall, readOutcome } from '@donecheck/core/internal/state/activity'
import type { World } from '../session/world.ts'
import { canonicalJson } from '@donecheck/core/internal/base'
import { costOf, estimateTokens, type TokenUsage } from '@donecheck/core/internal/budgets'

export function recordedCall(proposed: ProposedCall, session: LiveRun): ToolCall {
  const call = shallow(proposed)
  session.keepArguments(call.callId, call.args)
  const { state, secrets } = session
  const argsDigest = digestOf(maskValue(call.args, secrets))
  return { ...call, argsDigest, ...given({ identity: identityOfCall(call, state, secrets) }) }
}

/** Deeper arguments are refused before any code walks through them. */
const maxArgumentsDepth = 64

export function shallow(call: ProposedCall): ProposedCall {
  if (depthWithin(call.args, maxArgumentsDepth)) return call
  return { ...call, args: '', malformed: `nested more than ${maxArgumentsDepth} levels deep` }
}

function depthWithin(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((entry: JsonValue) => depthWithin(entry, levels - 1))
}

/** Equal for calls that differ only in timestamps; undefined for unreadable arguments. Masks, then hashes. */
function identityOfCall(
  { tool, args, malformed }: ProposedCall,
  state: RunState,
  secrets: SecretValues,
): string | undefined {
  if (malformed !== undefined) return undefined
  const paths = traitsOf(state, tool)?.volatileArguments ?? []
  return readCall(maskValue(paths.reduce(withoutPath, args), secrets))
}

function withoutPath(value: JsonValue, path: string): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (isJsonList(value)) return value.map((entry) => withoutPath(entry, path))
  if (Object.hasOwn(value, path)) return withoutKey(value, path)
  const dot = path.indexOf('.')
  const key = dot === -1 ? path : path.slice(0, dot)
  const inner = dot === -1 ? undefined : value[key]
  if (inner === undefined || !Object.hasOwn(value, key)) return value
  return { ...value, [key]: withoutPath(inner, path.slice(dot + 1)) }
}

function withoutKey(value: Readonly<Record<string, JsonValue>>, key: string): JsonValue {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

type ToolReturned = Extract<Fact, { type: 'tool-returned' }>

interface Answered {
  readonly state: RunState
  readonly secrets: SecretValues
}

/** Builds the fact of an answered call. Compares only known results; masks secrets before hashing. */
export function toolReturned(
  callId: string,
  tool: string,
  { status, output: answer, changed }: ToolOutcome,
  { state, secrets }: Answered,
): ToolReturned {
  const output = maskText(answer, secrets)
  const fact = { type: 'tool-returned' as const, callId, status, output, ...given({ changed }) }
  if (status === 'interrupted') return fact
  const keys = traitsOf(state, tool)?.volatileResults
  const { outcome, failure, lines } = readOutcome(output, status === 'error', keys)
  return { ...fact, outcome, lines, ...(failure === null ? {} : { failure }) }
}

export function outcomeUnknown({ callId, tool }: ToolCall, prompts: World['prompts']): ToolReturned {
  return { type: 'tool-returned', callId, status: 'unknown', output: prompts.toolOutcomeUnknown(tool) }
}

export function digestOf(value: JsonValue): string {
  return sha256(canonicalJson(value))
}

type Recorded = Pick<World, 'history' | 'suspend'>

/** Whether the record contains an unanswered question about the call. */
export function isAskedAlready(callId: string, world: Recorded): boolean {
  return sinceAsked(callId, world).length > 0
}

export async function tellNews(
  callId: string,
  facts: readonly NewEvent[],
  session: LiveRun,
  world: Recorded,
): Promise<void> {
  const known = sinceAsked(callId, world)
  const isKnown = (fact: NewEvent) => known.some((event) => saysTheSame(event, fact))
  const news = facts.filter((fact) => !isKnown(maskFact(fact, session.secrets)))
  if (news.length > 0) await session.tell(...news)
}

/** Events of the call until its question; empty if there is none. All follow the reply with the call. */
function sinceAsked(callId: string, { history, suspend }: Recorded): readonly RunEvent[] {
  if (suspend === undefined) return []
  const past = history()
  const ofTurn = past.slice(1 + past.findLastIndex(({ type }) => type === 'model-replied'))
  const events = ofTurn.filter((event) => 'callId' in event && event.callId === callId)
  const open = events.slice(1 + events.findLastIndex(({ type }) => type === 'approval-given'))
  return open.some(({ type }) => type === 'approval-requested') ? open : []
}

function saysTheSame(event: RunEvent, fact: NewEvent): boolean {
  const known = new Map(Object.entries(event))
  const said = Object.entries(fact).filter(([name]) => name !== 'durationMs')
  return said.every(([name, value]) => canonicalJson(known.get(name)) === canonicalJson(value))
}

/** Estimates unreported usage from prompt and text (I9). Null for an agent that never reports tokens. */
export function guessUsage(text: string, { agent, promptTokens }: RunState): TokenUsage | null {
  if (!agent.reportsUsage) return null
  return { inputTokens: promptTokens, outputTokens: estimateTokens(text), estimated: true }
}

export function costOfUsage(usage: TokenUsage | null, { agent }: RunState): number | null {
  return usage === null || agent.prices === null ? null : costOf(usage, agent.prices)
}
