import type { AgentSignal } from '../stream/index.ts'
import { withNews, type ToolCallNews, callOf, outcomeOf } from './tool-call.ts'

/** Some agents report a call as `in_progress` just before they ask for it. */
const graceRunningMs = 300
/** Its arguments may still arrive. */
const gracePendingMs = 1500
const maxKnown = 10_000

interface WatchedCall {
  call: ToolCallNews
  name: string
  stage: 'announced' | 'told' | 'ended'
  dueMs: number
}

/** ACP does not say whether a call will be asked about, so it counts as running after some silence. */
export class CallWatch {
  readonly #calls = new Map<string, WatchedCall>()
  readonly #names = new Set<string>()

  /** @param isNew false updates a known call */
  note(news: ToolCallNews | undefined, isNew: boolean): readonly AgentSignal[] {
    if (news === undefined) return []
    const watched = this.#watch(news, isNew)
    const { status } = watched.call
    if (watched.stage === 'ended') return []
    if (status === 'completed' || status === 'failed') return this.#end(watched)
    watched.dueMs = performance.now() + (status === 'in_progress' ? graceRunningMs : gracePendingMs)
    return []
  }

  /** The agent waits for an answer. A call that already runs is asked about under another name. */
  ask(news: ToolCallNews): Pick<WatchedCall, 'call' | 'name'> & { readonly signals: readonly AgentSignal[] } {
    const watched = this.#watch(news, false)
    const output = 'It asks for permission before it goes on.'
    const signals: readonly AgentSignal[] =
      watched.stage === 'told' ? [{ kind: 'call-ended', callId: watched.name, status: 'ok', output }] : []
    if (watched.stage !== 'announced') watched.name = this.#nameFor(news.id)
    watched.stage = 'told'
    return { call: watched.call, name: watched.name, signals }
  }

  markRefused(id: string, output: string): readonly AgentSignal[] {
    const watched = this.#calls.get(id)
    if (watched === undefined || watched.stage === 'ended') return []
    watched.stage = 'ended'
    return [{ kind: 'call-ended', callId: watched.name, status: 'error', output }]
  }

  nextDueMs(): number | undefined {
    const due = this.#announced().map(({ dueMs }) => dueMs)
    return due.length === 0 ? undefined : Math.max(0, Math.min(...due) - performance.now())
  }

  takeDue(): readonly AgentSignal[] {
    const nowMs = performance.now()
    return this.#announced().flatMap((watched) => (watched.dueMs <= nowMs ? this.#tell(watched) : []))
  }

  /** Reports calls that were only announced, because the turn is over. */
  close(): readonly AgentSignal[] {
    const signals = this.#announced().flatMap((watched) => this.#tell(watched))
    this.#calls.clear()
    return signals
  }

  #announced(): readonly WatchedCall[] {
    return [...this.#calls.values()].filter(({ stage }) => stage === 'announced')
  }

  #watch(news: ToolCallNews, isNew: boolean): WatchedCall {
    const known = this.#calls.get(news.id)
    if (known !== undefined && !(isNew && known.stage === 'ended')) {
      known.call = withNews(known.call, news)
      return known
    }
    const [oldest] = this.#calls.keys()
    if (this.#calls.size >= maxKnown && oldest !== undefined) this.#calls.delete(oldest)
    const watched: WatchedCall = { call: news, name: this.#nameFor(news.id), stage: 'announced', dueMs: 0 }
    this.#calls.set(news.id, watched)
    return watched
  }

  #nameFor(id: string): string {
    let name = id
    for (let count = 2; this.#names.has(name); count += 1) name = `${id}-${count}`
    this.#names.add(name)
    return name
  }

  #tell(watched: WatchedCall): readonly AgentSignal[] {
    watched.stage = 'told'
    return [callOf(watched.call, watched.name)]
  }

  #end(watched: WatchedCall): readonly AgentSignal[] {
    const call = watched.stage === 'announced' ? this.#tell(watched) : []
    watched.stage = 'ended'
    return [...call, { kind: 'call-ended', callId: watched.name, ...outcomeOf(watched.call) }]
  }
}
