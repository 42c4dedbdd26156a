import type { RunRequest } from '../schedule/index.ts'
import {
  type FleetRequest,
  type FleetRun,
  type PerformanceEnd,
  type PerformanceOrder,
  type RunMessage,
  readMessage,
  fleetRun,
  runMessage,
  type InterruptOrder,
  type DispatcherFact,
} from './shapes.ts'
import { handlers, object, rpc, type ObjectContext, type ObjectSharedContext } from '@restatedev/restate-sdk'
import {
  type RestateAdmin,
  dispatcherKey,
  dispatcherName,
  runObjectName,
  tirelessly,
  workerServiceName,
  type DispatcherObject,
  type RunObject,
} from './client.ts'

export type RunEffect =
  | { readonly kind: 'tell-dispatcher'; readonly fact: DispatcherFact }
  | { readonly kind: 'perform'; readonly workerId: string; readonly order: PerformanceOrder }
  | { readonly kind: 'interrupt'; readonly workerId: string; readonly by: string }
  /** Aborts the latest `perform`, whose result is no longer used. */
  | { readonly kind: 'kill-performance' }
  | { readonly kind: 'tell-run'; readonly runId: string; readonly message: RunMessage }
  | { readonly kind: 'tell-itself'; readonly atMs: number; readonly message: RunMessage }

interface RunStep {
  readonly run: FleetRun | undefined
  readonly effects: readonly RunEffect[]
}

const maxBreaks = 6
const firstPauseMs = 1000

/** @param run undefined if the run was never submitted */
export function runAfter(run: FleetRun | undefined, message: RunMessage, nowMs: number): RunStep {
  if (message.kind === 'submitted') return submitted(run, message.request)
  if (run === undefined) return same(run)
  if (run.phase.kind === 'over') return { run, effects: answerOfEnded(run, message) }
  switch (message.kind) {
    case 'placed':
      return placed(run, message)
    case 'left':
      return isCurrent(run, message) ? left(run, message.end, nowMs) : same(run)
    case 'worker-lost':
      if (!isCurrent(run, message)) return same(run)
      // The dispatcher has already queued it again.
      return then({ ...run, phase: { kind: 'queued' }, isOrphan: true }, { kind: 'kill-performance' })
    case 'woken':
      return woken(run)
    case 'due':
      return run.attempt === message.attempt ? woken(run) : same(run)
    case 'run-over': {
      const { phase } = run
      const isAwaited =
        phase.kind === 'waiting' && phase.for.kind === 'run' && phase.for.runId === message.runId
      return isAwaited || phase.kind === 'working' ? woken(run) : same(run)
    }
    case 'watched':
      return same({ ...run, watchers: [...new Set([...run.watchers, message.by])] })
    case 'interrupted':
      return interrupted({ ...run, interruptedBy: run.interruptedBy ?? message.by })
  }
}

function submitted(before: FleetRun | undefined, request: FleetRequest): RunStep {
  const isAnother = before === undefined || (before.phase.kind === 'over' && request.resume !== undefined)
  if (!isAnother) return same(before)
  const { watchers = [] } = before ?? {}
  const run: FleetRun = {
    request,
    attempt: 0,
    phase: { kind: 'queued' },
    isWoken: false,
    isOrphan: false,
    breaks: 0,
    problem: '',
    watchers,
  }
  return then(run, { kind: 'tell-dispatcher', fact: { kind: 'run-submitted', run: scheduledAs(request) } })
}

function scheduledAs(request: FleetRequest): RunRequest {
  const { runId, tenant, priority, labels, version, folder, provider, parent } = request
  return { runId, tenant, priority, labels, version, folder, provider, parent: parent?.runId }
}

function placed(run: FleetRun, { workerId, attempt }: Extract<RunMessage, { kind: 'placed' }>): RunStep {
  if (attempt <= run.attempt) return same(run)
  const { request, interruptedBy, isOrphan: replaces } = run
  const order = { request, attempt, replaces, ...(interruptedBy === undefined ? {} : { interruptedBy }) }
  const next = {
    ...run,
    attempt,
    phase: { kind: 'working' as const, workerId },
    isWoken: false,
  }
  return then(next, { kind: 'perform', workerId, order })
}

function left(given: FleetRun, end: PerformanceEnd, nowMs: number): RunStep {
  const run =
    end.kind === 'broke'
      ? { ...given, problem: end.message }
      : { ...given, breaks: 0, problem: '', isOrphan: false }
  switch (end.kind) {
    case 'stopped':
      return over(run, end)
    case 'refused':
      return over(run, { reason: 'refused', outcome: null, message: end.message })
    case 'gave-back':
      return queuedAgain(run)
    case 'waiting':
      return run.isWoken || run.interruptedBy !== undefined ? queuedAgain(run) : waitFor(run, end.for, nowMs)
    case 'broke': {
      const breaks = run.breaks + 1
      if (breaks >= maxBreaks) return over(run, { reason: 'broke', outcome: null, message: end.message })
      const untilMs = nowMs + firstPauseMs * 2 ** run.breaks
      return waitFor({ ...run, breaks }, { kind: 'time', untilMs, because: 'retry' }, nowMs)
    }
  }
}

type Awaited = Extract<PerformanceEnd, { kind: 'waiting' }>['for']

/** Above this a refusing provider is avoided by all runs. */
const shortMs = 5000

function waitFor(run: FleetRun, awaited: Awaited, nowMs: number): RunStep {
  const { runId, provider } = run.request
  const { attempt } = run
  const effects: RunEffect[] = [{ kind: 'tell-dispatcher', fact: { kind: 'run-waiting', runId, attempt } }]
  if (awaited.kind !== 'question' && awaited.untilMs !== null)
    effects.push({ kind: 'tell-itself', atMs: awaited.untilMs, message: { kind: 'due', attempt } })
  if (awaited.kind === 'run')
    effects.push({ kind: 'tell-run', runId: awaited.runId, message: { kind: 'watched', by: runId } })
  const isSentAway =
    awaited.kind === 'time' &&
    awaited.because === 'retry' &&
    awaited.untilMs - nowMs >= shortMs &&
    run.breaks === 0
  if (isSentAway && provider !== undefined)
    effects.push({
      kind: 'tell-dispatcher',
      fact: { kind: 'provider-limited', provider, untilMs: awaited.untilMs },
    })
  return then({ ...run, phase: { kind: 'waiting', for: awaited } }, ...effects)
}

/** A run on a worker sees the update at its next step; others need a worker. */
function woken(run: FleetRun): RunStep {
  if (run.phase.kind === 'working') return same({ ...run, isWoken: true })
  return run.phase.kind === 'waiting' ? queuedAgain(run) : same(run)
}

function queuedAgain(run: FleetRun): RunStep {
  const { attempt, request } = run
  const fact = { kind: 'run-ready' as const, runId: request.runId, attempt }
  return then({ ...run, phase: { kind: 'queued' } }, { kind: 'tell-dispatcher', fact })
}

function interrupted(run: FleetRun): RunStep {
  const { phase, attempt, interruptedBy: by = '' } = run
  if (phase.kind === 'waiting') return queuedAgain(run)
  if (phase.kind === 'working') return then(run, { kind: 'interrupt', workerId: phase.workerId, by })
  if (attempt > 0) return same(run)
  const message = `interrupted by ${by} before it began`
  return over(run, { reason: 'user_interrupt', outcome: 'interrupted', message })
}

interface RunEnd {
  readonly reason: string
  readonly outcome: string | null
  readonly message: string
}

function over(run: FleetRun, { reason, outcome, message }: RunEnd): RunStep {
  const { runId } = run.request
  return then(
    { ...run, phase: { kind: 'over', reason, outcome, message }, watchers: [] },
    { kind: 'tell-dispatcher', fact: { kind: 'run-finished', runId } },
    ...run.watchers.map((watcher) => endTold(runId, watcher)),
  )
}

function endTold(runId: string, watcher: string): RunEffect {
  return { kind: 'tell-run', runId: watcher, message: { kind: 'run-over', runId } }
}

function answerOfEnded({ request: { runId } }: FleetRun, message: RunMessage): readonly RunEffect[] {
  if (message.kind === 'watched') return [endTold(runId, message.by)]
  // It ended while queued.
  if (message.kind === 'placed') return [{ kind: 'tell-dispatcher', fact: { kind: 'run-finished', runId } }]
  return []
}

function isCurrent({ attempt, phase }: FleetRun, message: { readonly attempt: number }): boolean {
  return phase.kind === 'working' && attempt === message.attempt
}

function same(run: FleetRun | undefined): RunStep {
  return { run, effects: [] }
}

function then(run: FleetRun, ...effects: readonly RunEffect[]): RunStep {
  return { run, effects }
}

export function runObject(admin: RestateAdmin): ReturnType<typeof object<typeof runObjectName, RunObject>> {
  return object({
    name: runObjectName,
    options: { ...tirelessly, journalRetention: 0 },
    handlers: {
      tell: async (ctx: ObjectContext, given: RunMessage): Promise<void> => {
        const message = readMessage(runMessage, given)
        const before = await readRun(ctx)
        const { run, effects } = runAfter(before, message, await ctx.date.now())
        if (run !== undefined && run !== before) ctx.set('run', run)
        for (const effect of effects) await perform(effect, ctx, admin)
      },
      status: handlers.object.shared(async (ctx: ObjectSharedContext): Promise<FleetRun | null> => {
        return (await readRun(ctx)) ?? null
      }),
    },
  })
}

async function readRun(ctx: ObjectContext | ObjectSharedContext): Promise<FleetRun | undefined> {
  const kept = await ctx.get<unknown>('run')
  return kept === null ? undefined : fleetRun.parse(kept)
}

async function perform(effect: RunEffect, ctx: ObjectContext, admin: RestateAdmin): Promise<void> {
  switch (effect.kind) {
    case 'tell-dispatcher':
      ctx.objectSendClient<DispatcherObject>({ name: dispatcherName }, dispatcherKey).tell(effect.fact)
      return
    case 'perform': {
      const service = workerServiceName(effect.workerId)
      const sent = ctx.genericSend({ service, method: 'perform', parameter: jsonOf(effect.order) })
      ctx.set('performance', await sent.invocationId)
      return
    }
    case 'interrupt': {
      const { workerId, by } = effect
      const parameter = jsonOf({ runId: ctx.key, by })
      ctx.genericSend({ service: workerServiceName(workerId), method: 'interrupt', parameter })
      return
    }
    case 'kill-performance': {
      const performance = await ctx.get<string>('performance')
      if (performance !== null) await ctx.run('kill', () => admin.killInvocation(performance))
      return
    }
    case 'tell-run':
      tellRun(ctx, effect.runId, effect.message)
      return
    case 'tell-itself':
      tellRun(ctx, ctx.key, effect.message, Math.max(0, effect.atMs - (await ctx.date.now())))
  }
}

export function tellRun(ctx: ObjectContext, runId: string, message: RunMessage, delay = 0): void {
  ctx
    .objectSendClient<RunObject>({ name: runObjectName }, runId)
    .tell(message, rpc.sendOpts(delay === 0 ? {} : { delay }))
}

/** A worker's service is known only by name, without types. */
function jsonOf(order: PerformanceOrder | InterruptOrder): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(order))
}
