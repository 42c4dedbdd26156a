/** A recorded run as events of ours, and what the product's own decisions say of its claim. */
import { decide, evidenceOf, type EvidenceLine, type Judgement } from '@donecheck/core/decide'
import { deterministicVeto } from '@donecheck/core/policies'
import { englishPrompts } from '@donecheck/core/prompts'
import { deedsOf, evolve, type RunState } from '@donecheck/core/state'
import type { Finding, NewEvent } from '@donecheck/core/events'
import { agentDrive, modelDrive, runStarted } from '@donecheck/core/testing'
import { plainCall } from './plain-call.ts'
import type { RecordedRun, RecordedTurn } from '@donecheck/engine/recordings'

type Call = RecordedTurn['toolCalls'][number]

export interface ReplayedClaim {
  readonly evidence: EvidenceLine
  /** What contradicts the claim, in the words of the findings. */
  readonly accusations: readonly Pick<Finding, 'key' | 'message'>[]
  /** At the claim. */
  readonly state: RunState
}

const judgement: Judgement = { rules: [], policy: deterministicVeto, prompts: englishPrompts }
/** Tools that look, by the names of these sources. */
const looking =
  /^(?:get|search|list|find|read|open|view|goto|scroll|think|calculate|lookup|extract|query|go_back|express|discard|collect)/i
/** A call that hands the result in is the claim, and no work. */
const handingIn = /^(?:submit|finish)$/i
const handingInLine = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|^\s*submit\s*$/
/** Sources whose agents have no folder. */
const withoutFolder = /^(?:tau|hotpot|who-and-when)/
/** A stop is found after that many decisions, or the replay is wrong. */
const maxDecisions = 50

export function replayClaim(run: RecordedRun): ReplayedClaim {
  const folder = new Replayed(run)
  run.turns.forEach((turn, at) => folder.turn(turn, at + 1))
  return folder.claim()
}

class Replayed {
  readonly #run: RecordedRun
  #state: RunState | undefined
  #tree = 0
  #callId = 0
  readonly #accusations: Pick<Finding, 'key' | 'message'>[] = []

  constructor(run: RecordedRun) {
    this.#run = run
    const hasFolder = !withoutFolder.test(run.file)
    this.#tell(
      runStarted({ drive: hasFolder ? agentDrive : modelDrive, workFolder: hasFolder ? '/work' : null }),
      { type: 'goal-set', task: [run.task, run.prompt].filter(Boolean).join('\n') },
    )
    this.#look()
  }

  get state(): RunState {
    if (this.#state === undefined) throw new TypeError('a replay begins with its start')
    return this.#state
  }

  /** Work of one turn: what only hands the result in is left for the claim. */
  turn({ text, toolCalls }: RecordedTurn, turn: number): void {
    const plain = toolCalls.map((call) => plainCall(call, this.#run.file))
    const calls = plain.filter((call) => !isHandingIn(call))
    const proposed = calls.map((call) => ({
      callId: `c${(this.#callId += 1)}`,
      tool: call.name,
      args: call.args,
      argsDigest: call.argsDigest,
    }))
    this.#tell({ type: 'model-called', turn, attempt: 1 })
    this.#reply(text ?? '', proposed)
    calls.forEach((call, at) => this.#answer(proposed[at]?.callId ?? '', call))
    const mayChange = calls.some((call) => deedsOf(call.name, call.args, effectOf(call)).some(mayChangeTree))
    if (mayChange) this.#tree += 1
    if (calls.length > 0) this.#look()
    const isLast = turn === this.#run.turns.length
    // Whoever calls nothing ends its turn: that is a claim, and in a talk the customer goes on.
    if (calls.length === 0 && !isLast) this.#examine()
    if ((calls.length > 0 || !isLast) && this.state.turnOpen) this.#endTurn(turn)
  }

  claim(): ReplayedClaim {
    const turn = this.#run.turns.length
    if (!this.state.turnOpen) {
      this.#tell({ type: 'model-called', turn: turn + 1, attempt: 1 })
      this.#reply(this.state.lastText, [])
    }
    const before = this.state
    this.#examine()
    return { evidence: evidenceOf(this.state), accusations: this.#accusations, state: before }
  }

  /** What the product decides of a claim, up to where it ends the run or sends it back. */
  #examine(): void {
    for (let step = 0; step < maxDecisions; step += 1) {
      const decision = decide(this.state, judgement)
      if (decision.kind === 'note') {
        this.#accusations.push(decision.finding)
        this.#tell({ type: 'finding-noted', finding: decision.finding })
      } else if (decision.kind === 'examine-claim')
        this.#tell({ type: 'claim-examined', problems: this.#missing(decision.claimed) })
      else if (decision.kind === 'observe') this.#look()
      else return
    }
    throw new TypeError(`${this.#run.id}: the claim leads to no end`)
  }

  /** A recording has no folder to look into: a file is not there where no call and no result ever named it. */
  #missing(claimed: readonly string[]) {
    const record = JSON.stringify(this.#run.turns.map(({ toolCalls }) => toolCalls))
    const missing = claimed.filter((path) => !record.includes(path.split('/').at(-1) ?? path))
    return missing.map((path) => ({ kind: 'not-there' as const, path, detail: 'no call names it' }))
  }

  #reply(text: string, toolCalls: Extract<NewEvent, { type: 'model-replied' }>['toolCalls']): void {
    const finish = toolCalls.length === 0 ? 'stop' : 'tool-calls'
    this.#tell({ type: 'model-replied', text, toolCalls, finish, usage: null, costUsd: null })
  }

  #answer(callId: string, call: Call): void {
    const { name: tool, result, isError } = call
    const status = isError === null ? 'unknown' : isError ? 'error' : 'ok'
    this.#tell(
      { type: 'tool-called', callId, tool, effect: effectOf(call) },
      { type: 'tool-returned', callId, status, output: result ?? '' },
    )
  }

  #endTurn(turn: number): void {
    const transition = { kind: 'continue', reason: 'tool_calls', findings: [], verdicts: [] } as const
    this.#tell({ type: 'turn-ended', turn, transition })
  }

  #look(): void {
    if (this.state.workFolder !== null)
      this.#tell({ type: 'workspace-observed', fingerprint: `tree ${this.#tree}` })
  }

  #tell(...facts: readonly NewEvent[]): void {
    for (const fact of facts) {
      const sequence = (this.#state?.sequence ?? 0) + 1
      const header = {
        schemaVersion: 1,
        id: `e${sequence}`,
        runId: this.#run.id,
        sequence,
        timeMs: sequence,
      } as const
      this.#state = evolve(this.#state, { ...header, ...fact })
    }
  }
}

function isHandingIn({ name, args }: Call): boolean {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args['command'] : undefined
  return handingIn.test(name) || (typeof command === 'string' && handingInLine.test(command))
}

function effectOf({ name }: Call): 'read' | 'execute' {
  return looking.test(name) ? 'read' : 'execute'
}

function mayChangeTree({ kind }: ReturnType<typeof deedsOf>[number]): boolean {
  return kind !== 'tests'
}
