/**
 * The calls of one turn, from the first word of them to their end. The protocol does not say whether a call that was
 * announced will be asked for: so it is told as running only after it was left alone for a while.
 */
import type { AgentSignal } from '../stream/index.ts'
import { callOf, outcomeOf, type PermissionRequest } from './translate.ts'
import { withNews, type ToolCallNews } from './tool-call.ts'

/** Some agents call a call `in progress` a moment before they ask for it. */
const graceRunningMs = 300
/** Its arguments may still be coming in. */
const gracePendingMs = 1500
const maxKnown = 10_000

interface WatchedCall {
  call: ToolCallNews
  name: string
  stage: 'announced' | 'told' | 'ended'
  timer?: NodeJS.Timeout
}

export class CallWatch {
  readonly #push: (signal: AgentSignal) => void
  readonly #calls = new Map<string, WatchedCall>()
  readonly #names = new Set<string>()

  constructor(push: (signal: AgentSignal) => void) {
    this.#push = push
  }

  /** @param isNew whether the agent calls it a new call; otherwise it is an update to a known one, if it is known */
  noteCall(news: ToolCallNews, isNew: boolean): void {
    const watched = this.#known(news, isNew)
    if (watched.stage === 'ended') return
    const { status } = watched.call
    if (status === 'completed' || status === 'failed') this.#end(watched)
    else if (watched.stage === 'announced') this.#await(watched, status === 'in_progress')
  }

  asks(news: ToolCallNews): ToolCallNews {
    const watched = this.#known(news, false)
    clearTimeout(watched.timer)
    if (watched.stage === 'told')
      this.#push({
        kind: 'call-ended',
        callId: watched.name,
        status: 'ok',
        output: 'It asks for permission before it goes on.',
      })
    if (watched.stage !== 'announced') watched.name = this.#nameFor(news.id)
    watched.stage = 'told'
    return watched.call
  }

  /** @param asked made from what `asks` returned */
  askedFor(id: string, asked: PermissionRequest): void {
    const watched = this.#calls.get(id)
    if (watched !== undefined) this.#push(callOf(watched.call, watched.name, asked))
  }

  /** The call did not run, and the agent may never report that. */
  markRefused(id: string, output: string): void {
    const watched = this.#calls.get(id)
    if (watched === undefined || watched.stage === 'ended') return
    watched.stage = 'ended'
    this.#push({ kind: 'call-ended', callId: watched.name, status: 'error', output })
  }

  /** Nothing more will come: calls that were announced but never told are told now. */
  close(): void {
    for (const watched of this.#calls.values()) {
      clearTimeout(watched.timer)
      if (watched.stage === 'announced') this.#tell(watched)
    }
    this.#calls.clear()
  }

  #known(news: ToolCallNews, isNew: boolean): WatchedCall {
    const known = this.#calls.get(news.id)
    if (known !== undefined && !(isNew && known.stage === 'ended')) {
      known.call = withNews(known.call, news)
      return known
    }
    if (this.#calls.size >= maxKnown) this.#forgetOldest()
    const watched: WatchedCall = { call: news, name: this.#nameFor(news.id), stage: 'announced' }
    this.#calls.set(news.id, watched)
    return watched
  }

  #forgetOldest(): void {
    const [oldest] = this.#calls
    if (oldest === undefined) return
    clearTimeout(oldest[1].timer)
    this.#calls.delete(oldest[0])
  }

  #nameFor(id: string): string {
    let name = id
    for (let count = 2; this.#names.has(name); count += 1) name = `${id}-${count}`
    this.#names.add(name)
    return name
  }

  #await(watched: WatchedCall, isRunning: boolean): void {
    clearTimeout(watched.timer)
    watched.timer = setTimeout(
      () => {
        if (watched.stage === 'announced') this.#tell(watched)
      },
      isRunning ? graceRunningMs : gracePendingMs,
    )
  }

  #tell(watched: WatchedCall): void {
    watched.stage = 'told'
    this.#push(callOf(watched.call, watched.name))
  }

  #end(watched: WatchedCall): void {
    clearTimeout(watched.timer)
    if (watched.stage === 'announced') this.#tell(watched)
    watched.stage = 'ended'
    this.#push({ kind: 'call-ended', callId: watched.name, ...outcomeOf(watched.call) })
  }
}
