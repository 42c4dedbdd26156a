/** Restate would keep the deployments of lost workers, and retry their calls, forever. */
import { type RestateAdmin, type FleetClient, workerIdOf } from './client.ts'
import type { KeptQuestion } from '@donecheck/engine/internal/ports/questions'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { messageOf } from '@donecheck/engine/internal/base'

interface LostWatch {
  readonly client: Pick<FleetClient, 'status'>
  readonly admin: Pick<RestateAdmin, 'deployments' | 'pendingOf' | 'killInvocation' | 'remove'>
  readonly log: (message: string) => void
}

const everyMs = 60_000
const forgottenAfterMs = 600_000

export function forgetLostWorkers(watch: LostWatch): () => void {
  const look = lookForLost(watch)
  const failed = 'deployments of lost workers could not be removed'
  return repeat({ look: () => look(Date.now()), everyMs, failed, log: watch.log })
}

/** Removes deployments that were missing for long enough and serve nothing else. */
export function lookForLost({ client, admin, log }: LostWatch): (nowMs: number) => Promise<void> {
  let missingSince: ReadonlyMap<string, number> = new Map()
  return async (nowMs) => {
    // Read before the workers, so that one registering in between is not missed.
    const deployments = await admin.deployments()
    const here = new Set((await client.status()).workers.map(({ workerId }) => workerId))
    const missing = deployments.flatMap(({ id, services: [service, ...others] }) => {
      const workerId = workerIdOf(service ?? '')
      if (service === undefined || workerId === undefined || others.length > 0 || here.has(workerId))
        return []
      return [{ id, service, workerId, sinceMs: missingSince.get(id) ?? nowMs }]
    })
    missingSince = new Map(missing.map(({ id, sinceMs }) => [id, sinceMs]))
    for (const { id, service, workerId, sinceMs } of missing) {
      if (nowMs - sinceMs < forgottenAfterMs) continue
      // Its runs already moved to other workers.
      for (const invocation of await admin.pendingOf(service)) await admin.killInvocation(invocation)
      await admin.remove(id)
      log(
        `worker ${workerId} has been gone for ${forgottenAfterMs / 60_000} minutes: its deployment is removed`,
      )
    }
  }
}

interface Answers extends Pick<Store, 'changes'> {
  question(id: string): Promise<Pick<KeptQuestion, 'answer' | 'isWithdrawn'> | undefined>
}

interface AnswerWatch {
  readonly client: Pick<FleetClient, 'status' | 'run' | 'wake'>
  readonly storeOf: (tenant: string) => Promise<Answers>
  readonly log: (message: string) => void
  /** Polling interval. Default 1000. */
  readonly everyMs?: number
}

export function wakeAnswered({ everyMs = 1_000, ...watch }: AnswerWatch): () => void {
  return repeat({ look: lookFor(watch), everyMs, failed: 'answers could not be looked for', log: watch.log })
}

/** Polls once. Keeps the updates of runs on a worker, because they may be about to wait for them. */
export function lookFor({ client, storeOf }: Omit<AnswerWatch, 'everyMs' | 'log'>): () => Promise<void> {
  const marks = new Map<string, number>()
  const news = new Set<string>()
  return async () => {
    const { runs } = await client.status()
    const stages = new Map(
      runs.map(({ request, stage }) => [request.runId, { ...request, stage: stage.kind }]),
    )
    const problems: unknown[] = []
    /** A failure of one tenant must not block others. */
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
        // Only after success, so that the next poll retries.
        news.delete(runId)
      })
    }
    if (problems.length > 0) throw problems[0]
  }
}

/** An answer, or any update of a goal that is waited for. */
async function hasCome(runId: string, store: Answers, client: Pick<FleetClient, 'run'>): Promise<boolean> {
  const phase = (await client.run(runId))?.phase
  if (phase?.kind !== 'waiting') return false
  if (phase.for.kind !== 'question') return phase.for.kind === 'time' && phase.for.because === 'goal'
  const question = await store.question(phase.for.id)
  return question?.answer !== null || question.isWithdrawn
}

interface Repeated {
  readonly look: () => Promise<void>
  readonly everyMs: number
  readonly failed: string
  readonly log: (message: string) => void
}

export function repeat({ look, everyMs, failed, log }: Repeated): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const again = async (): Promise<void> => {
    await look().catch((error: unknown) => log(`${failed}: ${messageOf(error)}`))
    if (!isOver) timer = setTimeout(() => void again(), everyMs)
  }
  void again()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
