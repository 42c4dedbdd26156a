import {
  createAgentLoop,
  heartbeatEnd,
  type AgentLoop,
  type AgentRun,
  snapshotFolderOf,
} from '@donecheck/engine/internal/loop/compose'
import type { Config } from '../../../config/index.ts'
import { exitCodeOf } from '@donecheck/core/internal/decide/stops'
import { withdrawQuestions } from '@donecheck/engine/internal/policy/approvals'
import { messageOf, UsageError } from '@donecheck/engine/internal/base'
import { evolve, fold, requiredChecks, type RunState } from '@donecheck/core/internal/state'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { Approver } from '@donecheck/engine/internal/ports/gate'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { killAllProcesses } from '@donecheck/engine/internal/system/process'
import { interruptedResult, resultLine, type ResultLine } from '@donecheck/engine/display'
import { faultExitCode } from '../../process/failure.ts'
import { keepOwnModules } from '../../process/own-modules.ts'
import type { CliIo } from '../../process/io.ts'
import { approverOf, refusalNotice } from '../gate/gate.ts'
import { loopOptions } from './loop-options.ts'
import { notifierOf, openTelemetry } from './notify.ts'
import {
  jsonOutput,
  observed,
  quietOutput,
  type Output,
  textOutput,
  questionText,
} from '../../output/text-output.ts'
import { listenForInterrupts } from '../../process/signals.ts'
import { existsSync } from 'node:fs'
import { distil, openMemory, type OpenMemory } from '@donecheck/engine/memory'
import type { Memory } from '@donecheck/engine/internal/ports/memory'
import { systemClock } from '@donecheck/engine/internal/loop/run'
import { changesSinceBaseline } from '@donecheck/engine/internal/checks/workspace'
import { memoryFileOf } from '../../settings/store-folder.ts'
import type { OutputFormat } from '../../options/flags.ts'

export interface Conduct {
  readonly config: Config
  readonly workFolder: string
  readonly store: Store
  readonly begin: (loop: AgentLoop) => AgentRun
  readonly past: readonly RunEvent[]
  readonly io: CliIo
  readonly format?: OutputFormat
  /** Another view of the run, such as a chat. Default: this terminal. */
  readonly face?: RunFace
}

interface RunFace {
  readonly output: Output
  readonly approver: Approver
  readonly onOutput: (from: string, piece: string) => void
  readonly onInterrupts: (interrupt: (name: string) => void) => void
}

export async function conduct(request: Conduct): Promise<number> {
  const { config, workFolder, store, begin, past, io, format = 'text', face } = request
  const output = face?.output ?? observed(outputFor(config, format, io), io)
  const notice = (message: string) => output.notice(message)
  const telemetry = await openTelemetry(io, notice)
  const memory = openRunMemory(request, notice)
  const notifier = notifierOf({ config, workFolder, io, notice })
  let state = fold(past)
  const interrupts = listenForInterrupts(
    (name) => output.notice(`${name}: stopping; once more ends it at once`),
    () => endAtOnce(state, output),
  )
  try {
    const { signal, interrupt } = interrupts
    face?.onInterrupts(interrupt)
    const onText = (piece: string) => output.text(piece)
    const shown = { onText, ...(face === undefined ? {} : { onOutput: face.onOutput }) }
    const approver = approverOf(config, io, {
      interrupt,
      asked: face?.approver,
      store,
      notice,
    })
    const options = await loopOptions({
      ...{ config, workFolder, signal, approver, shown, memory: memory.port, io },
      store: telemetry?.observed(store) ?? store,
    })
    const refused = options.gate === undefined || face !== undefined ? undefined : refusalNotice(config, io)
    if (refused !== undefined) output.notice(refused)
    const loop = createAgentLoop(options)
    keepOwnModules()
    for await (const event of begin(loop)) {
      state = evolve(state, event)
      output.event(event, state)
      notifier.event(event, state)
      const proposal = event.type === 'goal-set' && face === undefined && memory.proposal(state)
      if (proposal) output.notice(proposal)
    }
    const exitCode = finishOutput(state, output, config)
    await showQuestions(state, store, output)
    if (state !== undefined) await memory.learn(state.runId, store)
    await keepFigures(state, store)
    return exitCode
  } catch (error) {
    output.close()
    // Nothing was started: wrong usage.
    if (state === undefined || state.sequence === past.length) throw error
    // The run itself has recorded why it cannot continue.
    if (error instanceof UsageError && state.phase.kind === 'stopped')
      return finishOutput(state, output, config)
    return broke(state, error, output)
  } finally {
    output.close()
    memory.close()
    interrupts.dispose()
    await notifier.close()
    await withdraw(state, store)
    await telemetry?.flush()
  }
}

async function showQuestions(state: RunState | undefined, store: Store, output: Output): Promise<void> {
  if (state === undefined || !isWaitingForApproval(state)) return
  const open = (await store.openQuestions()).filter(({ runId }) => runId === state.runId)
  for (const question of open) output.notice(questionText(question, 'last'))
}

function isWaitingForApproval({ phase }: RunState): boolean {
  return phase.kind === 'stopped' && phase.transition.reason === 'awaiting_approval'
}

async function withdraw(state: RunState | undefined, store: Store): Promise<void> {
  if (state?.phase.kind !== 'stopped') return
  const waitsForApproval = isWaitingForApproval(state)
  await withdrawQuestions(store, state.runId, { waitsForApproval }).catch(() => undefined)
}

/** For `donecheck stats insights`, which recomputes missing rows. */
async function keepFigures(state: RunState | undefined, store: Store): Promise<void> {
  const { keepRow } = await import('@donecheck/engine/internal/insight/insights')
  if (state !== undefined) await keepRow(store, state.runId).catch(() => undefined)
}

function finishOutput(state: RunState | undefined, output: Output, config: Config): number {
  output.close()
  if (state === undefined) throw new TypeError('a run ended without an event')
  const result = resultOf(state, config)
  output.end(result)
  return result.exitCode
}

/** Without the all-clear token. */
function resultOf(state: RunState, { keptHeartbeat }: Config): ResultLine {
  const result = resultLine(state)
  if (keptHeartbeat === undefined || state.phase.kind !== 'stopped') return result
  const { kind, text } = heartbeatEnd(state)
  return { ...result, finalText: text, heartbeat: kind }
}

/** The record is kept up to here. */
function broke(state: RunState, error: unknown, output: Output): number {
  const message = messageOf(error)
  output.notice(`donecheck: ${message}`)
  output.end({ ...resultLine(state), reason: 'error', outcome: 'error', exitCode: faultExitCode, message })
  return faultExitCode
}

function outputFor(config: Config, format: OutputFormat, io: CliIo): Output {
  if (format !== 'text') return jsonOutput(io, { stream: format === 'events' })
  // Only the message goes to stdout: cron mails every line.
  const closing = config.keptHeartbeat === undefined ? io.stdout : io.stderr
  const output = textOutput(io, { trace: config.trace === true, closing })
  return config.quiet === true ? quietOutput(output) : output
}

/** All events are on disk. */
function endAtOnce(state: RunState | undefined, output: Output): never {
  killAllProcesses()
  if (state !== undefined) output.notice('ended at once; to go on: donecheck resume last')
  output.close()
  output.end(state === undefined ? interruptedResult() : resultLine(state))
  process.exit(exitCodeOf.interrupted)
}

const maxTreeMs = 30_000

interface RunMemory {
  readonly port: Memory | undefined
  learn(runId: string, store: Store): Promise<void>
  /** Suggests a lower turn cap if runs with these checks usually end much earlier. */
  proposal(state: RunState): string | undefined
  close(): void
}

function openRunMemory(
  { config: { memory = 'project', store }, workFolder, io }: Conduct,
  notice: (message: string) => void,
): RunMemory {
  if (memory === 'off') return noMemory
  const file = memoryFileOf({ memory, store, workFolder }, io)
  let isReported = false
  const onProblem = (message: string) => {
    if (!isReported) notice(`the memory ${file} cannot be used, and the run goes on without: ${message}`)
    isReported = true
  }
  let opened: OpenMemory | undefined
  const open = (): OpenMemory => {
    opened ??= openMemory({ file, nowMs: () => systemClock.nowMs(), onProblem })
    return opened
  }
  const attempt = <Value>(work: () => Value): Value | undefined => {
    try {
      return work()
    } catch (error) {
      onProblem(messageOf(error))
      return undefined
    }
  }
  if (existsSync(file)) attempt(open)
  return {
    port: opened,
    async learn(runId, runs) {
      try {
        const summary = (await runs.list()).find((run) => run.runId === runId)
        // An imported run was not observed here.
        if (summary?.imported === true) return
        const events = await runs.read(runId)
        const lessons = distil(events, await changedFiles(runId, events, runs))
        if (lessons !== undefined) open().learn(lessons)
      } catch (error) {
        onProblem(messageOf(error))
      }
    },
    proposal: (state) => (opened === undefined ? undefined : attempt(() => proposalOf(open(), state))),
    close: () => attempt(() => opened?.close()),
  }
}

/** Empty if unknown. */
async function changedFiles(
  runId: string,
  events: readonly RunEvent[],
  runs: Store,
): Promise<readonly string[]> {
  const state = fold(events)
  if (state === undefined || state.workFolder === null) return []
  const trees = { workFolder: state.workFolder, snapshotFolder: snapshotFolderOf({}, runs) }
  try {
    const { changes, unknown } = await changesSinceBaseline(trees, runId, AbortSignal.timeout(maxTreeMs))
    return [...changes.map(({ path }) => path), ...unknown]
  } catch {
    return []
  }
}

const noMemory: RunMemory = {
  port: undefined,
  learn: async () => undefined,
  proposal: () => undefined,
  close: () => undefined,
}

/** A cap of more than twice the usual number has no effect. */
function proposalOf(memory: OpenMemory, state: RunState): string | undefined {
  const usual = memory.usualTurns(state.workFolder, requiredChecks(state))
  if (usual === undefined || (state.settings.caps.maxIterations ?? Infinity) <= usual * 2) return undefined
  return `90 % of the runs with these checks ended within ${usual} turns; --max-turns ${usual} would end others there`
}
