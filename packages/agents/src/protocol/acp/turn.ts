import { setTimeout as pause } from 'node:timers/promises'
import { payloadOf, recordsIn, textIn, type Payload } from '../host/index.ts'
import type { JsonValue, PlanEntry } from '@donecheck/core/internal/events'
import { given } from '@donecheck/engine/internal/base'
import type { TellsUsage } from '../registry/index.ts'
import {
  failedTurn,
  previewOf,
  type AgentSignal,
  type AgentTurn,
  type CallAnswer,
  type RpcReply,
  type TurnEnded,
  type TurnStart,
} from '../stream/index.ts'
import type { AcpConnection } from './connection.ts'
import { CallWatch } from './call-watch.ts'
import {
  answerOf,
  noAnswer,
  parseQuestion,
  parseToolCall,
  type PermissionAnswer,
  type PermissionQuestion,
  callOf,
  readAction,
} from './tool-call.ts'
import { failureOf, turnEnd, UsageMeter, usageAtEnd } from './turn-end.ts'

interface TurnOptions {
  readonly folder: string
  readonly tells: TellsUsage
  readonly cost: { usd: number }
  readonly readStderr?: (line: string) => AgentSignal | undefined
}

/** Time for an agent to end its turn on request, before its process is killed. */
const cancelMs = 2000

export class AcpTurn implements AgentTurn {
  readonly signals: AsyncIterable<AgentSignal>
  readonly #agent: AcpConnection
  readonly #options: TurnOptions
  readonly #calls = new CallWatch()
  readonly #meter = new UsageMeter()
  readonly #unread: AgentSignal[] = []
  readonly #questions = new Set<() => Promise<void>>()
  #stage: 'opening' | 'prompted' | 'over' = 'opening'
  #promptId: number | undefined
  #step: Promise<void> | undefined
  #onSignal: () => void = () => undefined
  #ending: Promise<void> | undefined

  constructor(start: TurnStart, agent: AcpConnection, options: TurnOptions) {
    this.#agent = agent
    this.#options = options
    agent.wake()
    agent.onStderr = (line) => this.#push(options.readStderr?.(line))
    this.signals = this.#read(start)
  }

  end(): Promise<void> {
    this.#ending ??= this.#comeToRest()
    return this.#ending
  }

  async *#read(start: TurnStart): AsyncGenerator<AgentSignal> {
    await this.#begin(start)
    for (;;) {
      const signal = this.#unread.shift()
      if (signal !== undefined) yield signal
      else if (this.#isOver) return
      else await Promise.race([this.#takeStep(), new Promise<void>((resolve) => (this.#onSignal = resolve))])
    }
  }

  async #begin({ prompt, session }: TurnStart): Promise<void> {
    const opened = await this.#agent.open(session)
    if (opened.kind !== 'open') {
      this.#stage = 'over'
      this.#push(opened.kind === 'failed' ? failedTurn(opened.failure) : opened)
      if (opened.kind === 'failed') await this.#agent.end()
      return
    }
    this.#push({ kind: 'session', id: opened.sessionId })
    if (this.#ending !== undefined) return
    this.#stage = 'prompted'
    this.#promptId = await this.#agent.prompt(prompt)
  }

  async #comeToRest(): Promise<void> {
    for (const release of this.#questions) await release().catch(() => undefined)
    if (this.#stage === 'prompted') {
      const late = pause(cancelMs, 'late', { ref: false })
      void this.#agent.cancel()
      while (!this.#isOver && (await Promise.race([this.#takeStep(), late])) !== 'late');
    }
    if (!this.#isOver || this.#agent.hasEnded) return this.#agent.end()
    await this.#agent.rest()
  }

  get #isOver(): boolean {
    return this.#stage === 'over'
  }

  #takeStep(): Promise<void> {
    this.#step ??= this.#handleNext().finally(() => {
      this.#step = undefined
    })
    // A signal on stderr may come first; then nothing awaits this step.
    this.#step.catch(() => undefined)
    return this.#step
  }

  async #handleNext(): Promise<void> {
    const { peer } = this.#agent
    const message = await peer.next(this.#calls.nextDueMs())
    if (message === 'late') this.#push(...this.#calls.takeDue())
    else if (message === 'gone') await this.#last({ kind: 'gone' })
    else if (message.kind === 'reply') {
      if (message.id === this.#promptId) await this.#last(message.reply)
    } else if (message.kind === 'notification') {
      if (message.method === 'session/update') this.#updated(message.params)
    } else if (message.method === 'session/request_permission') await this.#asked(message.id, message.params)
    else await peer.cannotAnswer(message.id, message.method)
  }

  async #last(reply: RpcReply): Promise<void> {
    const ended = await this.#endOf(reply)
    this.#push(...this.#calls.close(), { ...ended, ...this.#cost() })
    this.#stage = 'over'
    if (reply.kind === 'gone') await this.#agent.end()
  }

  async #endOf(reply: RpcReply): Promise<TurnEnded> {
    switch (reply.kind) {
      case 'result': {
        const usage = this.#options.tells.ofTurn ? { usage: this.#meter.rest(usageAtEnd(reply.result)) } : {}
        return { ...turnEnd(reply.result), ...usage }
      }
      case 'error':
        return failedTurn(failureOf('session/prompt', reply))
      case 'gone':
      case 'late': {
        const problem = `the agent's process ended in the middle of its turn: ${await this.#agent.problem()}`
        return { kind: 'turn-ended', text: '', problem }
      }
    }
  }

  #cost(): { readonly costUsd?: number } {
    const total = this.#meter.costUsd
    const { cost, tells } = this.#options
    if (!tells.cost || total === undefined) return {}
    const before = total < cost.usd ? 0 : cost.usd
    cost.usd = total
    return { costUsd: total - before }
  }

  #push(...signals: readonly (AgentSignal | undefined)[]): void {
    for (const signal of signals) {
      if (signal !== undefined) this.#unread.push(signal)
      if (signal?.kind === 'call' && this.#options.tells.ofSteps)
        this.#unread.push({ kind: 'step', usage: this.#meter.step() })
    }
    this.#onSignal()
  }

  #updated(params: Payload): void {
    const update = payloadOf(params['update']) ?? {}
    const kind = textIn(update, 'sessionUpdate') ?? ''
    switch (kind) {
      case 'agent_message_chunk': {
        const piece = textIn(update['content'], 'text')
        if (piece !== undefined) this.#push({ kind: 'text', piece })
        return
      }
      case 'tool_call':
      case 'tool_call_update':
        this.#push(...this.#calls.note(parseToolCall(update), kind === 'tool_call'))
        return
      case 'usage_update':
        this.#meter.recordUpdate(update)
        return
      case 'plan':
        this.#push({ kind: 'plan', entries: planOf(update) })
    }
  }

  async #asked(id: JsonValue, params: Payload): Promise<void> {
    const { peer } = this.#agent
    const question = parseQuestion(params)
    if (question === undefined || this.#ending !== undefined) return peer.answer(id, { ...noAnswer })
    const { call, name, signals } = this.#calls.ask(question.call)
    this.#push(...signals)
    const action = await readAction(call, this.#options.folder)
    const preview = action?.kind === 'change' ? previewOf(action.files) : undefined
    const release = () => reply(noAnswer)
    const reply = async (answer: PermissionAnswer): Promise<void> => {
      if (this.#questions.delete(release)) await peer.answer(id, { ...answer })
    }
    this.#questions.add(release)
    this.#push(
      callOf(call, name, {
        ...given({ action, preview }),
        hearsReason: false,
        answer: (answer) => reply(this.#decide(question, answer)),
      }),
    )
  }

  #decide({ call, options }: PermissionQuestion, { allowed }: CallAnswer): PermissionAnswer {
    const answer = answerOf(options, allowed)
    if (allowed && answer === undefined)
      this.#push(
        ...this.#calls.markRefused(
          call.id,
          'It was allowed, but the agent offers no way to allow it just this once: so it was not.',
        ),
      )
    return answer ?? answerOf(options, false) ?? noAnswer
  }
}

const states: Readonly<Record<string, PlanEntry['state']>> = {
  in_progress: 'in-progress',
  completed: 'completed',
}

export function planOf(update: unknown): readonly PlanEntry[] {
  return recordsIn(update, 'entries').flatMap((entry) => {
    const text = textIn(entry, 'content')
    return text === undefined ? [] : [{ text, state: states[textIn(entry, 'status') ?? ''] ?? 'pending' }]
  })
}
