/** Turns of Codex over `codex exec --json`: one process each, which asks nobody. */
import { programTurn, type AgentSignal, type AgentTurn, type TurnStart } from '../../agents/index.ts'
import type { TokenUsage } from '../../events/index.ts'
import { codexHomeOf } from './codex-home.ts'
import { diesWithUs } from './dies-with-us.ts'
import { execArguments } from './exec-words.ts'
import { rolloutOf, totalIn } from './rollout.ts'
import { ExecTranslator } from './translate-exec.ts'

export interface ExecOptions {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

export function execTurns(options: ExecOptions): (start: TurnStart) => AgentTurn {
  const totals = new Map<string, TokenUsage>()
  return (start) => {
    const turn = new TurnOfExec(options, start, totals)
    return { signals: turn.signals(), end: () => turn.end() }
  }
}

class TurnOfExec {
  readonly #options: ExecOptions
  readonly #start: TurnStart
  /** What each thread had used at the end of its last turn. */
  readonly #totals: Map<string, TokenUsage>
  #turn: AgentTurn | undefined
  #hasEnded = false

  constructor(options: ExecOptions, start: TurnStart, totals: Map<string, TokenUsage>) {
    this.#options = options
    this.#start = start
    this.#totals = totals
  }

  async *signals(): AsyncGenerator<AgentSignal> {
    const { folder, environment, words } = this.#options
    const { session, prompt } = this.#start
    const usedBefore = session === undefined ? undefined : await this.#totalOf(session)
    if (this.#hasEnded) return
    let threadId = session
    const translator = new ExecTranslator({
      ...{ session, usedBefore },
      onTotal: (total) => {
        if (threadId !== undefined) this.#totals.set(threadId, total)
      },
    })
    const args = execArguments(words, { session, prompt })
    const command = diesWithUs(['codex', ...args])
    this.#turn = programTurn({ command, folder, environment, keepsInputOpen: true }, translator)
    for await (const signal of this.#turn.signals) {
      if (signal.kind === 'session') threadId = signal.id
      yield signal
    }
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#turn?.end()
  }

  /** Of a turn in an earlier process the record of the thread tells. Where it does not, all of the thread is booked: never too little. */
  async #totalOf(session: string): Promise<TokenUsage | undefined> {
    const known = this.#totals.get(session)
    if (known !== undefined) return known
    const rollout = await rolloutOf(codexHomeOf(this.#options.environment), session)
    return rollout === undefined ? undefined : totalIn(rollout)
  }
}
