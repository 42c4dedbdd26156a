/** `donecheck conformance`: can this loop, hook or gate be trusted? */
import { given, UsageError } from '@donecheck/engine/base'
import { exitCodeOf } from '@donecheck/core/stops'
import {
  cases,
  conformanceJunit,
  conformanceLine,
  conformanceTable,
  runConformance,
  type Case,
  type CaseResult,
  type Subject,
} from '../../../../conformance/index.ts'
import type { CliIo } from '../../../process/io.ts'
import { stopAtInterrupts } from '../../../process/signals.ts'
import { tableText } from '../../record/backtest/text.ts'
import { writeReport } from '../ci/check-reports.ts'

export interface ConformanceFlags {
  readonly against?: string
  readonly stopHook?: string
  readonly startHook?: string
  readonly confirm?: string
  readonly resultLine?: true
  readonly gate?: string
  readonly only?: readonly string[]
  readonly list?: true
  readonly parallel?: number
  /** Seconds. */
  readonly timeout?: number
  readonly junit?: string
  readonly json?: true
}

export async function conformanceCommand(flags: ConformanceFlags, io: CliIo): Promise<number> {
  const chosen = casesCalled(flags.only ?? [])
  if (flags.list === true) return list(chosen, flags, io)
  const subject = subjectOf(flags)
  const interrupts = stopAtInterrupts(io)
  try {
    const { signal } = interrupts
    const results = await runConformance({
      subject,
      cases: chosen,
      signal,
      ...given({ parallel: flags.parallel }),
      ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 }),
      onResult: (result) => {
        if (flags.json !== true) io.stdout.write(`${conformanceLine(result)}\n`)
      },
    })
    if (signal.aborted) return exitCodeOf.interrupted
    writeReport(flags.junit, () => conformanceJunit(results), io)
    if (flags.json === true) io.stdout.write(`${JSON.stringify(jsonOf(results))}\n`)
    else io.stdout.write(`\n${tableText(conformanceTable(results))}\n`)
    return results.every(({ problems }) => problems.length === 0) ? 0 : 1
  } finally {
    interrupts.dispose()
  }
}

/** @throws {UsageError} where none is left */
function casesCalled(only: readonly string[]): readonly Case[] {
  const chosen = cases.filter(
    ({ kind, name }) => only.length === 0 || only.some((text) => `${kind}: ${name}`.includes(text)),
  )
  if (chosen.length > 0) return chosen
  throw new UsageError(`no case is called ${only.join(', ')}; --list lists them`)
}

function list(chosen: readonly Case[], { json }: ConformanceFlags, io: CliIo): number {
  const lines = chosen.map(({ kind, name, about, wanted }) => `${kind}: ${name}: ${about} (${wanted})`)
  io.stdout.write(json === true ? `${JSON.stringify(chosen)}\n` : `${lines.join('\n')}\n`)
  return 0
}

/** @throws {UsageError} unless exactly one is named, with nothing that belongs to another */
function subjectOf(flags: ConformanceFlags): Subject {
  const { against, stopHook, startHook, gate, confirm, resultLine } = flags
  const start = given({ start: startHook, confirm })
  const named: readonly Subject[] = [
    ...(against === undefined
      ? []
      : [{ kind: 'loop', command: against, resultLine: resultLine === true } as const]),
    ...(stopHook === undefined ? [] : [{ kind: 'stop-hook', command: stopHook, ...start } as const]),
    ...(gate === undefined ? [] : [{ kind: 'gate', command: gate } as const]),
  ]
  const [only, ...others] = named
  if (only === undefined || others.length > 0)
    throw new UsageError('name one of --against, --stop-hook and --gate: a command that is to be tried')
  if (only.kind !== 'stop-hook' && Object.keys(start).length > 0)
    throw new UsageError('--start-hook and --confirm belong to --stop-hook; give it, or leave them out')
  if (only.kind !== 'loop' && resultLine === true)
    throw new UsageError('--result-line belongs to --against; give it, or leave it out')
  return only
}

function jsonOf(results: readonly CaseResult[]) {
  return results.map(({ case: { kind, name, wanted }, reported, ...measured }) => {
    const { claim, end, result } = reported
    return { kind, name, wanted, claim, end, ...result, ...measured }
  })
}
