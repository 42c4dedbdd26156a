import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  previewOf,
  type AgentSignal,
  type AgentTurn,
  type CallAnswer,
  type TurnStart,
} from '../stream/index.ts'
import type { TellsUsage } from '../registry/index.ts'
import { readAction } from './translate.ts'
import { CallWatch } from './call-watch.ts'
import type { Answer, Listener } from './connection.ts'
import type { LiveAgent } from './live-agent.ts'
import {
  answerOf,
  noAnswer,
  parseQuestion,
  type PermissionAnswer,
  type PermissionQuestion,
  parseToolCall,
} from './tool-call.ts'
import { failureOf, turnEnd, UsageMeter, usageAtEnd } from './turn-end.ts'
import { given } from '@donecheck/engine/base'
import type { PlanEntry } from '@donecheck/core/events'

interface TurnOptions {
  readonly folder: string
  readonly tells: TellsUsage
  readonly agent: () => LiveAgent
  readonly cost: { usd: number }
  readonly readStderr?: (line: string) => AgentSignal | undefined
}

/** Time in which an agent that was told to end its turn may do so; then its process is ended. */
const cancelMs = 2000
/** Agents write down their session a moment after they have ended a turn. */
const settleMs = 250

export class AcpTurn implements AgentTurn {
  readonly #options: TurnOptions
  readonly #queue = new SignalQueue()
  readonly #calls = new CallWatch((signal) => this.#told(signal))
  readonly #meter = new UsageMeter()
  readonly #open = new Set<() => void>()
  readonly #agent: LiveAgent
  #stage: 'preparing' | 'prompted' | 'over' = 'preparing'
  readonly #done: Promise<void>
  #ending: Promise<void> | undefined

  constructor(start: TurnStart, options: TurnOptions) {
    this.#options = options
    this.#agent = options.agent()
    this.#agent.thaw()
    this.#done = this.#run(start).finally(() => {
      this.#stage = 'over'
      this.#calls.close()
      this.#queue.close()
    })
  }

  get signals(): AsyncIterable<AgentSignal> {
    return this.#queue.read()
  }

  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<void> {
    // What is told from now on would never be read, and the agent would wait for us.
    this.#queue.close()
    for (const release of [...this.#open]) release()
    if (this.#stage === 'prompted') {
      await Promise.race([this.#agent.cancel(), pause(cancelMs, undefined, { ref: false })])
      await Promise.race([this.#done, pause(cancelMs, undefined, { ref: false })])
    }
    if (this.#stage !== 'over' || this.#agent.hasEnded) return this.#agent.end()
    await pause(settleMs)
    this.#agent.freeze()
  }

  async #run(start: TurnStart): Promise<void> {
    const failure = await this.#agent.greet()
    const opened =
      failure === undefined ? await this.#agent.open(start.session) : { kind: 'failed' as const, failure }
    if (opened.kind === 'session-lost') {
      this.#stage = 'over'
      this.#queue.push(opened)
      return
    }
    if (opened.kind === 'failed') {
      this.#queue.push({ kind: 'turn-ended', text: '', failure: opened.failure })
      return this.#agent.end()
    }
    this.#queue.push({ kind: 'session', id: opened.sessionId })
    if (this.#ending !== undefined) return
    this.#stage = 'prompted'
    const answer = await this.#agent.prompt(start.prompt, this.#listener())
    this.#calls.close()
    await this.#last(answer)
  }

  #listener(): Listener {
    return {
      onUpdate: (params) => this.#updated(params),
      onPermissionRequest: (params) => this.#asked(params),
      onStderr: (line) => {
        const signal = this.#options.readStderr?.(line)
        if (signal !== undefined) this.#queue.push(signal)
      },
      room: () => this.#queue.room(),
    }
  }

  async #last(answer: Answer): Promise<void> {
    const { tells } = this.#options
    // Whoever reads of the end asks us to end at once.
    this.#stage = 'over'
    switch (answer.kind) {
      case 'answered': {
        const usage = usageAtEnd(answer.result)
        this.#queue.push({
          ...turnEnd(answer.result),
          ...(tells.ofTurn ? { usage: this.#meter.rest(usage) } : {}),
          ...this.#cost(),
        })
        return
      }
      case 'refused':
        this.#queue.push({
          kind: 'turn-ended',
          text: '',
          failure: failureOf('session/prompt', answer),
          ...this.#cost(),
        })
        return
      case 'closed':
      case 'late': {
        const problem = `the agent's process ended in the middle of its turn: ${await this.#agent.problem()}`
        this.#queue.push({ kind: 'turn-ended', text: '', problem, ...this.#cost() })
        return this.#agent.end()
      }
    }
  }

  #cost(): { readonly costUsd?: number } {
    const total = this.#meter.costUsd
    if (!this.#options.tells.cost || total === undefined) return {}
    const { cost } = this.#options
    const before = total < cost.usd ? 0 : cost.usd
    cost.usd = total
    return { costUsd: total - before }
  }

  #told(signal: AgentSignal): void {
    this.#queue.push(signal)
    if (signal.kind === 'call' && this.#options.tells.ofSteps)
      this.#queue.push({ kind: 'step', usage: this.#meter.step() })
  }

  #updated(params: unknown): void {
    const update = sessionUpdate.safeParse(params)
    if (!update.success) return
    const { sessionUpdate: kind, content } = update.data.update
    switch (kind) {
      case 'agent_message_chunk':
        if (content?.text !== undefined) this.#queue.push({ kind: 'text', piece: content.text })
        return
      case 'tool_call':
      case 'tool_call_update': {
        const news = parseToolCall(update.data.update)
        if (news !== undefined) this.#calls.noteCall(news, kind === 'tool_call')
        return
      }
      case 'usage_update':
        this.#meter.recordUpdate(update.data.update)
        return
      case 'plan': {
        const entries = planOf(update.data.update)
        if (entries !== undefined) this.#queue.push({ kind: 'plan', entries })
        return
      }
      default:
        // Thoughts, titles, commands: nothing follows of them.
        return
    }
  }

  async #asked(params: unknown): Promise<PermissionAnswer> {
    const question = parseQuestion(params)
    if (question === undefined || this.#ending !== undefined) return noAnswer
    const call = this.#calls.asks(question.call)
    const action = await readAction(call, this.#options.folder)
    const preview = action?.kind === 'change' ? previewOf(action.files) : undefined
    const { promise, resolve } = Promise.withResolvers<PermissionAnswer>()
    const release = () => resolve(noAnswer)
    this.#open.add(release)
    this.#calls.askedFor(call.id, {
      ...given({ action, preview }),
      hearsReason: false,
      answer: (answer) => {
        resolve(this.#decided(question, answer))
        return Promise.resolve()
      },
    })
    return promise.finally(() => this.#open.delete(release))
  }

  #decided({ call, options }: PermissionQuestion, { allowed }: CallAnswer): PermissionAnswer {
    const answer = answerOf(options, allowed)
    if (allowed && answer === undefined)
      this.#calls.markRefused(
        call.id,
        'It was allowed, but the agent offers no way to allow it just this once: so it was not.',
      )
    return answer ?? answerOf(options, false) ?? noAnswer
  }
}

const sessionUpdate = z.object({
  update: z.looseObject({
    sessionUpdate: z.string(),
    content: z.object({ text: z.string().optional() }).optional().catch(undefined),
  }),
})

const states = { pending: 'pending', in_progress: 'in-progress', completed: 'completed' } as const

const entry = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']).catch('pending'),
})
const update = z.object({ entries: z.array(z.unknown()) })

/** Undefined: it is no list of entries. One that cannot be read is left out; one in a state that nobody knows is not done. */
export function planOf(message: unknown): readonly PlanEntry[] | undefined {
  const parsed = update.safeParse(message)
  if (!parsed.success) return undefined
  return parsed.data.entries.flatMap((given) => {
    const read = entry.safeParse(given)
    return read.success ? [{ text: read.data.content, state: states[read.data.status] }] : []
  })
}

const maxWaiting = 32

class SignalQueue {
  #waiting: AgentSignal[] = []
  #isClosed = false
  #readers: (() => void)[] = []
  #writers: (() => void)[] = []

  push(signal: AgentSignal): void {
    if (this.#isClosed) return
    this.#waiting.push(signal)
    wake(this.#readers)
  }

  close(): void {
    this.#isClosed = true
    wake(this.#readers)
    wake(this.#writers)
  }

  async room(): Promise<void> {
    while (!this.#isClosed && this.#waiting.length >= maxWaiting)
      await new Promise<void>((resolve) => this.#writers.push(resolve))
  }

  async *read(): AsyncGenerator<AgentSignal> {
    for (;;) {
      const signal = this.#waiting.shift()
      if (signal !== undefined) {
        if (this.#waiting.length < maxWaiting) wake(this.#writers)
        yield signal
      } else if (this.#isClosed) return
      else await new Promise<void>((resolve) => this.#readers.push(resolve))
    }
  }
}

function wake(sleepers: (() => void)[]): void {
  for (const resolve of sleepers.splice(0)) resolve()
}
