import type { FleetClient, FleetRun } from '@donecheck/fleet/internal/coordinator'
import type { SavedSchedule } from '@donecheck/fleet/internal/schedule'
import type { CliIo } from '../../process/io.ts'
import { print, writeNotice } from '../../output/wrap.ts'
import { plural, type Line, line } from '@donecheck/core/internal/base'
import { UsageError } from '@donecheck/engine/internal/base'
import { withRun } from '../../settings/settings.ts'
import { fleetAddressOf, loadFleet, reachFleet, type FleetFlags } from '../../settings/store-folder.ts'
import type { StoreFlags, Flags } from '../../options/flags.ts'

type FleetStatusFlags = FleetFlags & Flags<never, 'json'>

export async function fleetStatusCommand(
  runId: string | undefined,
  flags: FleetStatusFlags,
  io: CliIo,
): Promise<number> {
  const { json = false } = flags
  const fleet = fleetAddressOf(flags, io)
  const { fleetClient } = await loadFleet(() => import('@donecheck/fleet/internal/coordinator'))
  const client = fleetClient(fleet.ingressUrl)
  const { report, lines } = await reachFleet(fleet, () =>
    runId === undefined ? statusOf(client) : statusOfRun(runId, client),
  )
  return print(io, json, report, () => lines)
}

async function statusOf(client: FleetClient): Promise<Status> {
  const status = await client.status()
  return { report: reportOf(status), lines: linesOf(status, Date.now()) }
}

function reportOf({ runs, workers }: SavedSchedule) {
  return {
    workers: workers.map((worker) => ({ ...worker, runs: runsAt(worker.workerId, runs) })),
    runs: runs.map(({ request, submittedMs, attempt, stage }) => ({
      ...{ ...request, submittedMs, attempt },
      ...{ stage: stage.kind, workerId: stage.kind === 'placed' ? stage.workerId : null },
    })),
  }
}

function runsAt(workerId: string, runs: SavedSchedule['runs']): readonly string[] {
  return runs.flatMap(({ request, stage }) =>
    stage.kind === 'placed' && stage.workerId === workerId ? [request.runId] : [],
  )
}

export function linesOf({ runs, workers }: SavedSchedule, nowMs: number): readonly Line[] {
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0)
  const of = (kind: string) => runs.filter(({ stage }) => stage.kind === kind)
  const [placed, queued, waiting] = [of('placed'), of('queued'), of('waiting')]
  return [
    line(
      'strong',
      `${plural(workers.length, 'worker')}, ${placed.length} of ${plural(slots, 'slot')} at work, ${queued.length} queued, ${waiting.length} waiting`,
    ),
    ...workers.flatMap((worker) => [
      line('quiet', ''),
      line(
        worker.draining ? 'warning' : 'plain',
        `${worker.workerId}  ${runsAt(worker.workerId, runs).length}/${worker.slots}${worker.draining ? '  draining' : ''}`,
      ),
      line(
        'quiet',
        `  version ${worker.version}${worker.labels.length === 0 ? '' : `, labels ${worker.labels.join(', ')}`}, seen ${ago(nowMs - worker.seenMs)} ago`,
      ),
      ...placed
        .filter(({ stage }) => stage.kind === 'placed' && stage.workerId === worker.workerId)
        .map(({ request, stage }) =>
          line(
            'quiet',
            `  ${request.runId}  for ${stage.kind === 'placed' ? ago(nowMs - stage.sinceMs) : '?'}`,
          ),
        ),
    ]),
    ...listOf('queued: for a worker', queued, (run) => why(run, workers), nowMs),
    ...listOf('waiting: for an answer, a time or another run', waiting, () => '', nowMs),
    ...(workers.length === 0
      ? [line('quiet', ''), line('quiet', 'No worker is there: begin one with "donecheck fleet worker".')]
      : []),
  ]
}

type Run = SavedSchedule['runs'][number]

function listOf(
  title: string,
  runs: readonly Run[],
  more: (run: Run) => string,
  nowMs: number,
): readonly Line[] {
  if (runs.length === 0) return []
  return [
    line('quiet', ''),
    line('plain', title),
    ...runs.map((run): Line => {
      const { runId, tenant } = run.request
      return line('quiet', `  ${runId}  ${tenant}, submitted ${ago(nowMs - run.submittedMs)} ago${more(run)}`)
    }),
  ]
}

function why({ request }: Run, workers: SavedSchedule['workers']): string {
  const { labels, version } = request
  const fits = workers.filter((worker) => labels.every((label) => worker.labels.includes(label)))
  if (fits.length === 0 && labels.length > 0) return `; no worker has ${labels.join(', ')}`
  if (version !== undefined && !fits.some((worker) => worker.version === version))
    return `; no worker has version ${version}, with which it began`
  return ''
}

function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

interface Status {
  readonly report: object
  readonly lines: readonly Line[]
}

/** Works for a run that has not started. @throws {UsageError} if this fleet does not know it */
export async function statusOfRun(runId: string, client: Pick<FleetClient, 'run'>): Promise<Status> {
  const run = await client.run(runId)
  if (run === undefined)
    throw new UsageError(
      `this fleet was not given a run ${runId}; "donecheck fleet status" lists those that are not over, by their whole id`,
    )
  const { request, phase, attempt, problem } = run
  return { report: { ...request, attempt, phase, problem }, lines: linesOfRun(run) }
}

export function linesOfRun(run: FleetRun): readonly Line[] {
  const { request, phase, problem } = run
  const { runId } = request
  return [
    line('strong', `${runId} is ${placeOf(run)}`),
    ...(problem === '' || phase.kind === 'over'
      ? []
      : [line('warning', `  its latest try broke: ${problem}`)]),
    ...(phase.kind === 'over' ? [line('plain', `  ${phase.message}`)] : []),
    line('quiet', `  ${nextOf(run)}`),
  ]
}

function placeOf({ phase }: FleetRun): string {
  switch (phase.kind) {
    case 'queued':
      return 'queued: it waits for a worker'
    case 'working':
      return `at work on ${phase.workerId}`
    case 'over':
      return `over: ${phase.outcome ?? phase.reason}`
    case 'waiting':
      return `waiting ${awaitedOf(phase.for)}`
  }
}

function awaitedOf(awaited: Extract<FleetRun['phase'], { kind: 'waiting' }>['for']): string {
  switch (awaited.kind) {
    case 'question':
      return `for the answer to ${awaited.id}; "donecheck approve list" shows the question`
    case 'run':
      return `for run ${awaited.runId}`
    case 'time':
      return `until ${new Date(awaited.untilMs).toISOString()}, ${awaited.because === 'retry' ? 'to try again' : 'as its goal says'}`
  }
}

function nextOf({ request: { runId, labels }, phase, attempt }: FleetRun): string {
  if (attempt === 0 && phase.kind === 'queued')
    return `"donecheck fleet status" says what it lacks${labels.length === 0 ? '' : `; it needs ${labels.join(', ')}`}`
  const command = `"donecheck ${phase.kind === 'over' ? 'explain' : 'watch'} ${runId}" tells more`
  return phase.kind === 'working' || (phase.kind === 'over' && phase.outcome !== null && attempt > 0)
    ? command
    : `${command} where it had begun; otherwise there is no record of it`
}

type FleetPatchFlags = StoreFlags

export async function fleetPatchCommand(wanted: string, flags: FleetPatchFlags, io: CliIo): Promise<number> {
  const { baseOf, latestSnapshot, patchOf, resultOf } = await loadFleet(
    () => import('@donecheck/fleet/internal/worker'),
  )
  const patch = await withRun(wanted, flags, io, async ({ runId, events }, store) => {
    const base = await baseOf(store, runId)
    const found = await latestSnapshot(store, runId)
    if (base === undefined || found === undefined)
      throw new UsageError(
        `nothing was kept of the folder of run ${runId}: no worker has ended a turn of it in a repository`,
      )
    const result = await resultOf(store, runId, events)
    const delivery = result?.delivery
    const where = delivery?.kind === 'branch' ? `; branch ${delivery.branch} has it` : ''
    writeNotice(`run ${runId} on ${base.url} at ${base.commit}${where}`, io)
    return patchOf(found)
  })
  io.stdout.write(patch)
  return 0
}
