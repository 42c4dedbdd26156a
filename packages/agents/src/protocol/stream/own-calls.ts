import type { JsonValue } from '@donecheck/core/internal/events'
import type {
  OwnTool,
  PreparedCall,
  ProposedCall,
  ToolContext,
  ToolOutcome,
} from '@donecheck/engine/internal/ports/loop'
import type { AgentCall, LookedAt } from './agent-signal.ts'
import { type TurnInFlight, boundText, boundArguments } from './turn-in-flight.ts'
import { given } from '@donecheck/engine/internal/base'

interface CallInFlight {
  readonly call: AgentCall
  readonly turn: TurnInFlight
  isAnswered: boolean
}

/** A waiting call yields to another asked call after this time, because it may depend on it. */
const giveWayMs = 1000

export class OwnCalls {
  #calls = new Map<string, CallInFlight>()
  readonly #taken = new Set<string>()

  reserve(callIds: Iterable<string>): void {
    for (const callId of callIds) this.#taken.add(callId)
  }

  get(callId: string): CallInFlight | undefined {
    return this.#calls.get(callId)
  }

  propose(calls: readonly AgentCall[], turn: TurnInFlight): readonly ProposedCall[] {
    this.#calls = new Map()
    return calls.map((call) => {
      const callId = this.#nameOf(call)
      this.#calls.set(callId, { call, turn, isAnswered: false })
      return { callId, tool: call.tool === '' ? 'unknown' : call.tool, args: boundArguments(call.args) }
    })
  }

  toolOf(callId: string): OwnTool | undefined {
    const found = this.#calls.get(callId)
    if (found === undefined) return undefined
    const { tool, effect, answer, hasOwnPermissions } = found.call
    return {
      name: tool === '' ? 'unknown' : tool,
      description: 'a tool of the agent itself',
      parameters: {},
      effect,
      isAsked: answer !== undefined,
      ...given({ hasOwnPermissions }),
      prepare: (args) => prepareCall(found, args),
    }
  }

  #nameOf({ callId }: AgentCall): string {
    const plain = callId.replaceAll(/[^\w-]/g, '-').slice(0, 100)
    let name = plain === '' ? 'call' : plain
    for (let count = 2; this.#taken.has(name); count += 1) name = `${plain}-${count}`
    this.#taken.add(name)
    return name
  }
}

async function prepareCall(found: CallInFlight, args: JsonValue): Promise<PreparedCall> {
  const { call } = found
  const isChanged = JSON.stringify(args) !== JSON.stringify(boundArguments(call.args))
  if (isChanged && call.answer === undefined)
    return { kind: 'invalid', reason: 'the agent runs this call already: its arguments cannot be changed' }
  const looked = isChanged ? await lookAnew(call, args) : call
  if (looked === undefined)
    return { kind: 'invalid', reason: 'its arguments were changed, and what it would do then cannot be told' }
  const { summary, preview, action, refusal } = looked
  if (refusal !== undefined && call.answer !== undefined)
    return { kind: 'invalid', reason: refusal, label: 'protected_file' }
  return {
    kind: 'ready',
    summary: summary ?? summaryOf({ tool: call.tool, args: isChanged ? args : call.args }),
    ...given({ preview, action }),
    run: (signal, context) => run(found, { args: isChanged ? args : call.args, context }, signal),
  }
}

async function lookAnew(call: AgentCall, args: JsonValue): Promise<LookedAt | undefined> {
  if (call.look !== undefined) return call.look(args)
  return call.action === undefined && call.refusal === undefined ? {} : undefined
}

function summaryOf({ tool, args }: Pick<AgentCall, 'tool' | 'args'>): string {
  const written = JSON.stringify(args)
  return `${tool} ${written.length > 120 ? `${written.slice(0, 119).toWellFormed()}…` : written}`
}

interface AuthorizedCall {
  readonly args: JsonValue
  readonly context: ToolContext | undefined
}

async function run(
  found: CallInFlight,
  { args, context }: AuthorizedCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { call, turn } = found
  if (call.answer !== undefined && !found.isAnswered) {
    found.isAnswered = true
    await call.answer({ allowed: true, args, ...(context?.isApproved === true ? { isApproved: true } : {}) })
  }
  const wayGiven = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    for (;;) {
      const end = turn.endOf(call.callId)
      if (end !== undefined) return { status: end.status, output: boundText(end.output) }
      if (turn.over !== undefined) return withoutEnd(signal)
      if (wayGiven.signal.aborted)
        return { status: 'ok', output: 'It is still at work; another call is asked for meanwhile.' }
      if (turn.replies.isAsked) timer ??= setTimeout(() => wayGiven.abort(), giveWayMs)
      await turn.read(signal, wayGiven.signal)
    }
  } finally {
    clearTimeout(timer)
  }
}

function withoutEnd(signal: AbortSignal): ToolOutcome {
  if (signal.aborted) return { status: 'interrupted', output: 'It was broken off.' }
  return {
    status: 'error',
    output: 'The turn ended before the agent had told what became of this call.',
  }
}
