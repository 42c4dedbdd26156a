import { z } from 'zod'
import {
  fieldOf,
  textIn,
  textOfContent,
  type HostAnswer,
  type HostCall,
  type HostEvent,
  type HostResult,
  type ToolActs,
} from '../protocol/host/index.ts'
import { messageOf, type OptionShape, given } from '@donecheck/engine/internal/base'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { resultOf, type RunResult } from '@donecheck/engine/internal/loop/compose'
import { createAgentSession } from './create-session.ts'
import { type AgentSession, type AgentSessionOptions, chosenSessionOptions } from './session.ts'

interface SdkReply {
  readonly text: string
  readonly usage: TokenUsage | null
}

export interface ReplyWithCalls extends SdkReply {
  readonly calls: readonly HostCall[]
}

interface SdkSessionParts {
  readonly agentSession: AgentSession
  readonly acts?: ToolActs
  readonly signal?: AbortSignal | undefined
}

export interface EndedCall {
  readonly call: HostCall
  readonly result: HostResult
}

interface Proposal {
  /** Some providers reuse call ids across steps. */
  readonly would: string
  readonly answer: Promise<HostAnswer>
}

const nothingSaid: SdkReply = { text: '', usage: null }

/** A signal parameter aborts a verification. */
export class SdkSession {
  readonly agentSession: AgentSession
  readonly acts: ToolActs
  readonly #signal: AbortSignal | undefined
  readonly #waiting = new Map<string, string>()
  readonly #proposals = new Map<string, Proposal>()
  readonly #notices: string[] = []
  #reply: SdkReply | undefined
  #ran: EndedCall[] = []
  #blockedStops = 0
  #isBlocked = false
  #ended: string | undefined

  constructor({ agentSession, acts = {}, signal }: SdkSessionParts) {
    this.agentSession = agentSession
    this.acts = acts
    this.#signal = signal
  }

  get isAborted(): boolean {
    return this.#signal?.aborted === true
  }

  get blockedStops(): number {
    return this.#blockedStops
  }

  get waitingFor(): readonly string[] {
    return [...this.#waiting.values()]
  }

  waits({ callId, tool }: HostCall): void {
    this.#waiting.set(callId, tool)
  }

  answered({ callId }: HostCall): void {
    this.#waiting.delete(callId)
  }

  get ended(): string | undefined {
    return this.#ended ?? this.agentSession.end?.message
  }

  async recordPrompt(prompt: string): Promise<void> {
    await this.tell({ kind: 'prompted', prompt })
  }

  async recordReply(reply: SdkReply, signal?: AbortSignal): Promise<void> {
    if (this.#reply !== undefined) await this.stepEnded(signal)
    this.#reply = reply
  }

  /** Decides once per call, however often the host asks. */
  proposeCall(call: HostCall, signal?: AbortSignal): Promise<HostAnswer> {
    const known = this.#proposals.get(call.callId)
    const would = JSON.stringify([call.tool, call.act])
    if (known?.would === would) return known.answer
    const answer =
      this.ended === undefined
        ? this.tell({ kind: 'tool-proposed', call }, signal)
        : Promise.resolve<HostAnswer>({ kind: 'end', message: this.ended })
    this.#proposals.set(call.callId, { would, answer })
    return answer
  }

  async wasRefused({ callId }: HostCall): Promise<boolean> {
    const answer = await this.#proposals.get(callId)?.answer
    return answer?.kind === 'refuse' || answer?.kind === 'end'
  }

  recordResult(call: HostCall, result: HostResult): void {
    this.#ran.push({ call, result })
  }

  /** Records a reply whose calls have all ended. @returns what the model should read next */
  async recordStep(
    reply: SdkReply,
    ended: readonly EndedCall[],
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    await this.recordReply(reply, signal)
    for (const { call, result } of ended) if (!(await this.wasRefused(call))) this.recordResult(call, result)
    return this.stepEnded(signal)
  }

  async stepEnded(signal?: AbortSignal): Promise<readonly string[]> {
    if (this.#reply === undefined && this.#ran.length === 0) return []
    const { text, usage } = this.#reply ?? nothingSaid
    const ran = this.#ran
    this.#reply = undefined
    this.#ran = []
    this.#proposals.clear()
    this.#isBlocked = false
    const calls = ran.map(({ call }) => call)
    const answers = [await this.tell({ kind: 'replied', text, calls, usage }, signal)]
    for (const { call, result } of ran)
      answers.push(await this.tell({ kind: 'tool-finished', call, result }, signal))
    return answers.flatMap((answer) => (answer.kind === 'pass' ? (answer.context ?? []) : []))
  }

  /** @returns what the model should read next; undefined if the run is over, verified or not */
  async verifyTurnEnd(text: string, signal?: AbortSignal): Promise<string | undefined> {
    await this.stepEnded(signal)
    const wasBlocked = this.#blockedStops > 0
    const answer = await this.tell({ kind: 'stopping', text, wasBlocked, waitingFor: [] }, signal)
    this.#isBlocked = answer.kind === 'block'
    if (answer.kind !== 'block') return undefined
    this.#blockedStops += 1
    return answer.feedback
  }

  async cutShort(text = ''): Promise<void> {
    await this.stepEnded()
    if (this.ended === undefined && !this.#isBlocked) await this.verifyTurnEnd(text)
    await this.over()
  }

  /** The turn failed; another one may follow. @param problem a text, or what was thrown */
  async recordFailure(problem: unknown): Promise<void> {
    if (this.ended === undefined) await this.tell({ kind: 'turn-failed', message: messageOf(problem) })
  }

  verification(more: Partial<Pick<Verification, 'waitingFor' | 'stoppedBy'>> = {}): Verification {
    const { state, end } = this.agentSession
    return {
      runId: state?.runId ?? '',
      isVerified: end?.outcome === 'verified',
      transition: end,
      verdicts: latestVerdicts(this.agentSession),
      result: state?.phase.kind === 'stopped' ? resultOf(state) : undefined,
      blockedStops: this.#blockedStops,
      waitingFor: this.waitingFor,
      stoppedBy: undefined,
      notices: this.#notices,
      ...more,
    }
  }

  async over(): Promise<void> {
    await this.tell({ kind: 'session-ended' })
  }

  protected async tell(event: HostEvent, signal = this.#signal): Promise<HostAnswer> {
    const answer = await this.agentSession.observe(event, signal)
    if (answer.kind === 'end') this.#ended ??= answer.message
    const notice = answer.kind === 'pass' || answer.kind === 'block' ? answer.notice : undefined
    if (notice !== undefined) this.#notices.push(notice)
    return answer
  }
}

function firstSignal(...given: readonly unknown[]): AbortSignal | undefined {
  const signals = given.filter((each) => each instanceof AbortSignal)
  return signals.length === 0 ? undefined : AbortSignal.any(signals)
}

export interface Verification {
  readonly runId: string
  /** A hard check proved it; the host's own outcome says nothing about that. */
  readonly isVerified: boolean
  /** How and why it ended; undefined if it waits for a person or a host tool and can resume. */
  readonly transition: StopTransition | undefined
  readonly verdicts: readonly Verdict[]
  /** Undefined while the run has not ended. */
  readonly result: RunResult | undefined
  readonly blockedStops: number
  readonly waitingFor: readonly string[]
  /** The host's own limit that ended it, such as `maxSteps (5)`. */
  readonly stoppedBy: string | undefined
  readonly notices: readonly string[]
}

function latestVerdicts({ state }: AgentSession): readonly Verdict[] {
  return state === undefined ? [] : Object.values(state.checks).flatMap(({ latest }) => latest ?? [])
}

export interface SdkOptions extends Omit<
  AgentSessionOptions,
  'agent' | 'reportsUsage' | 'reportsCost' | 'silentFailures'
> {
  /** Maps tool calls to actions for the gate: `{ shell: ({ command }) => ({ kind: 'command', … }) }`. */
  readonly acts?: ToolActs
}

export const sdkOptions = z.strictObject<OptionShape<SdkOptions>>({
  ...chosenSessionOptions.shape,
  sessionId: z.string().optional(),
  acts: z.record(z.string(), z.unknown()).optional(),
})

/** @param theirs a signal of the host, which aborts like the one in the options */
export async function beginSdkSession(
  agent: string,
  { acts = {}, ...options }: SdkOptions,
  theirs?: unknown,
): Promise<SdkSessionParts> {
  const signal = firstSignal(theirs, options.signal)
  const agentSession = await createAgentSession({
    ...options,
    ...given({ signal }),
    agent,
    reportsUsage: true,
  })
  return { agentSession, acts, signal }
}

/** The last user message of an SDK's input, which is a text or a list of messages. */
export function taskIn(input: unknown): string {
  if (typeof input === 'string') return input
  const messages: readonly unknown[] = Array.isArray(input) ? input : [input]
  const asked = messages.findLast(
    (message) =>
      typeof message === 'string' ||
      textIn(message, 'role') === 'user' ||
      textIn(message, 'type') === 'human',
  )
  if (typeof asked === 'string') return asked
  const content = fieldOf(asked, 'content')
  const parts = [content, fieldOf(asked, 'parts'), fieldOf(content, 'parts')].find((each) =>
    Array.isArray(each),
  )
  return textOfContent(parts ?? content, '\n')
}

type PermissionOptions = Pick<AgentSessionOptions, 'gate' | 'approver' | 'onGatePrompt'>

export function askingByItself<Options extends PermissionOptions>(options: Options): Options {
  const { gate, approver, onGatePrompt } = options
  const asks = onGatePrompt === undefined && gate !== undefined && approver === undefined
  return asks ? { ...options, onGatePrompt: 'ask' } : options
}

/** The user chose the gate or approver, so its yes is the user's yes to the SDK. */
export function mayApprove({ gate, approver }: PermissionOptions): boolean {
  return gate !== undefined || approver !== undefined
}

/** What a model reads instead of a result; undefined if the call may run. */
export function refusalIn(answer: HostAnswer): string | undefined {
  switch (answer.kind) {
    case 'pass':
      return undefined
    case 'refuse':
      return answer.reason
    case 'end':
      return answer.message
    case 'block':
      return answer.feedback
    case 'ask':
      return `not approved: ${answer.reason}`
  }
}

type Approval = { readonly approved: true } | { readonly approved: false; readonly reason: string }

/** @returns undefined if another must decide */
export function approvalIn(answer: HostAnswer): Approval | undefined {
  switch (answer.kind) {
    case 'pass':
      return answer.allowed === true ? { approved: true } : undefined
    case 'refuse':
      return { approved: false, reason: answer.reason }
    case 'end':
      return { approved: false, reason: answer.message }
    case 'ask':
    case 'block':
      return undefined
  }
}
