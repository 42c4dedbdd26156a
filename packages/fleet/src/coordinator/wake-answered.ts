/** Answers and wishes lie in the store, whoever gave them: this tells the runs that wait for them. */
import type { KeptQuestion } from '@donecheck/engine/ports/questions'
import type { Store } from '@donecheck/engine/ports/store'
import type { FleetClient } from './client.ts'
import { repeat } from './repeat.ts'

/** What is looked at of a store. */
interface Answers extends Pick<Store, 'changes'> {
  question(id: string): Promise<Pick<KeptQuestion, 'answer' | 'isWithdrawn'> | undefined>
}

export interface AnswerWatch {
  readonly client: Pick<FleetClient, 'status' | 'run' | 'wake'>
  readonly storeOf: (tenant: string) => Promise<Answers>
  readonly log: (message: string) => void
  /** Between two looks. Default 1000. */
  readonly everyMs?: number
}

/** Only runs that wait are asked about, and only those that something has happened to. @returns what ends it */
export function wakeAnswered({ everyMs = 1_000, ...watch }: AnswerWatch): () => void {
  return repeat({ look: lookFor(watch), everyMs, failed: 'answers could not be looked for', log: watch.log })
}

/** One look. Of a run that is still with its worker the news is kept: it may be about to wait for just that. */
export function lookFor({ client, storeOf }: Omit<AnswerWatch, 'everyMs' | 'log'>): () => Promise<void> {
  const marks = new Map<string, number>()
  const news = new Set<string>()
  return async () => {
    const { runs } = await client.status()
    const stages = new Map(
      runs.map(({ request, stage }) => [request.runId, { ...request, stage: stage.kind }]),
    )
    const problems: unknown[] = []
    /** What goes wrong for one tenant holds up no other. */
    const attempt = (work: () => Promise<void>) => work().catch((error: unknown) => problems.push(error))
    for (const tenant of new Set([...stages.values()].map((run) => run.tenant)))
      await attempt(async () => {
        const { latest, runIds } = await (await storeOf(tenant)).changes(marks.get(tenant) ?? 0)
        marks.set(tenant, latest)
        for (const runId of runIds) if (stages.has(runId)) news.add(runId)
      })
    for (const runId of news) {
      const run = stages.get(runId)
      if (run?.stage === 'placed') continue
      await attempt(async () => {
        if (run?.stage === 'waiting' && (await hasCome(runId, await storeOf(run.tenant), client)))
          await client.wake(runId)
        // Not before: where it could not be woken, the next look tries again.
        news.delete(runId)
      })
    }
    if (problems.length > 0) throw problems[0]
  }
}

/** What it waits for: an answer, or, where a goal is waited for, whatever was said of it. */
async function hasCome(runId: string, store: Answers, client: Pick<FleetClient, 'run'>): Promise<boolean> {
  const phase = (await client.run(runId))?.phase
  if (phase?.kind !== 'waiting') return false
  if (phase.for.kind !== 'question') return phase.for.kind === 'time' && phase.for.because === 'goal'
  const question = await store.question(phase.for.id)
  return question?.answer !== null || question.isWithdrawn
}
