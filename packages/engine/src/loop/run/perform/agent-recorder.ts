/** What an agent tells of itself while it is asked for a reply. */
import { findingKey } from '@donecheck/core/state'
import { drivesRequests } from '@donecheck/core/goal'
import { planReported, problemOfFact, type Finding, type PlanEntry } from '@donecheck/core/events'
import type { Store } from '../../../ports/store.ts'
import type { Session } from '../session/session.ts'

/** What is said of the agent itself, such as that it does not ask. */
export interface AgentFinding {
  readonly rule: string
  readonly message: string
}

export class AgentRecorder {
  readonly #session: Session
  readonly #store: Pick<Store, 'keepGoalRequest'>
  #sessionId: string | undefined
  #blocker: string | undefined
  #plan: readonly PlanEntry[] | undefined
  #recorded: Promise<unknown> = Promise.resolve()
  readonly #findings: AgentFinding[] = []
  #isClosed = false

  constructor(session: Session, store: Pick<Store, 'keepGoalRequest'>) {
    this.#session = session
    this.#store = store
    this.#sessionId = session.state.agentSession
  }

  /** Recorded while the agent is at work: its process may die before it answers. */
  recordSession(sessionId: string): void {
    if (sessionId === this.#sessionId || this.#isClosed) return
    this.#sessionId = sessionId
    this.#recorded = this.#recorded.then(() =>
      this.#session.tell({ type: 'agent-session-opened', sessionId }),
    )
    // It is awaited before the answer is recorded; until then a failure has nobody to go to.
    this.#recorded.catch(() => undefined)
  }

  /** One for each answer, however often it changes. */
  plans(plan: readonly PlanEntry[]): void {
    this.#plan = plan
  }

  /** One for each answer. */
  reportBlocker(blocker: string): void {
    this.#blocker = blocker
  }

  recordFinding(finding: AgentFinding): void {
    this.#findings.push(finding)
  }

  /** To be awaited before the answer is recorded; what is told afterwards is lost. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#recorded
    for (const finding of this.#findings) {
      const { noted, sequence } = this.#session.state
      const fact = { type: 'finding-noted' as const, finding: warningOf(finding, sequence) }
      const isNew = !noted.includes(findingKey(fact.finding))
      if (isNew && problemOfFact(fact) === undefined) await this.#session.tell(fact)
    }
    await this.#askForBlocker()
    if (this.#plan === undefined) return
    const reported = planOf(this.#plan)
    if (reported !== undefined) await this.#session.tell(reported)
  }

  /** As its tool would: the run answers at the end of the turn. */
  async #askForBlocker(): Promise<void> {
    if (this.#blocker === undefined) return
    const change = { kind: 'blocker-reported' as const, blocker: this.#blocker }
    const { runId, state } = this.#session
    await this.#store.keepGoalRequest(
      runId,
      { goalId: state.goal.id, by: drivesRequests, change },
      state.goal.answeredRequest,
    )
  }
}

function warningOf({ rule, message }: AgentFinding, sequence: number): Finding {
  return { rule, message, level: 'warn', numbers: {}, key: message, restsOn: [sequence] }
}

/** Undefined: it is none. No answer is thrown away for that. */
function planOf(plan: readonly PlanEntry[]) {
  try {
    const reported = planReported(plan)
    return problemOfFact(reported) === undefined ? reported : undefined
  } catch {
    return undefined
  }
}
