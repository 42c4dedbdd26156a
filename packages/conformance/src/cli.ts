import { writeFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { donecheckVersion, given, messageOf, UsageError } from '@donecheck/engine/internal/base'
import { killAllProcesses } from '@donecheck/engine/internal/system/process'
import type { Case } from './case.ts'
import { cases } from './cases.ts'
import { formatJunit, formatResult, buildTable, formatTable } from './report.ts'
import { runConformance, type CaseResult } from './run.ts'
import type { Subject } from './subject.ts'

interface Flags {
  readonly against?: string
  readonly stopHook?: string
  readonly startHook?: string
  readonly confirm?: string
  readonly resultLine?: true
  readonly ciCheck?: string
  readonly only?: readonly string[]
  readonly list?: true
  readonly parallel?: number
  readonly timeout?: number
  readonly junit?: string
  readonly json?: true
}

const help = `
Examples:
  $ npx @donecheck/conformance --against 'donecheck run --yes --until "$CHECK" --agent "$AGENT" --max-turns "$MAX_TURNS" "$TASK"'
  $ npx @donecheck/conformance --stop-hook 'sh -c "$CHECK" >&2 || exit 2' --only tamperer
  $ npx @donecheck/conformance --ci-check 'sh -c "$CHECK"' --junit conformance.xml

Commands run in sh in the project of each case, with AGENT, CHECK, TASK, MAX_TURNS, CHECK_SECONDS and SCRATCH (a folder for their
own files) in the environment. Exit code 1: a case failed.`

const [wrongUsage, interrupted] = [2, 130]

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const program = commandLine().parse(args, { from: 'user' })
    return await tryCases(program.opts<Flags>())
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    return wrongUsage
  }
}

function commandLine(): Command {
  return new Command('conformance')
    .description('test a loop, Stop hook or CI check with agents that work, idle, lie and tamper')
    .version(donecheckVersion, '-v, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .option('--against <command>', 'loop that calls "$AGENT" "$TASK" and exits with 0 if verified')
    .option('--stop-hook <command>', 'Stop hook of Claude Code, called after every turn')
    .option('--start-hook <command>', 'with --stop-hook: SessionStart and UserPromptSubmit hook')
    .option('--confirm <command>', 'with --stop-hook: run after an allowed stop; must exit with 0')
    .option('--result-line', 'with --against: also judge the JSON in its last line')
    .option('--ci-check <command>', 'CI check that exits with 0 to accept the final tree')
    .option('--only <text>', 'only cases whose kind or name contains this (repeatable)', appendValue)
    .option('--list', 'list the cases and exit')
    .option('--parallel <count>', 'concurrent cases (default: 3)', parsePositive)
    .option('--timeout <seconds>', 'timeout of each command (default: 60)', parsePositive)
    .option('--junit <file>', 'write a JUnit report')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
}

function appendValue(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function parsePositive(text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new InvalidArgumentError(`"${text}" is not a positive number.`)
}

async function tryCases(flags: Flags): Promise<number> {
  const selected = selectCases(flags.only ?? [])
  if (flags.list === true) return list(selected, flags)
  const subject = readSubject(flags)
  const { signal } = listenForInterrupts()
  const results = await runConformance({
    subject,
    cases: selected,
    signal,
    ...given({ parallel: flags.parallel }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 }),
    onResult: (result) => {
      if (flags.json !== true) print(formatResult(result))
    },
  })
  if (signal.aborted) return interrupted
  if (flags.junit !== undefined) writeReport(flags.junit, formatJunit(results))
  print(flags.json === true ? JSON.stringify(toJson(results)) : `\n${formatTable(buildTable(results))}`)
  return results.every(({ problems }) => problems.length === 0) ? 0 : 1
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The first interrupt lets the cases clean up; the second kills all processes. */
function listenForInterrupts(): AbortController {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (!controller.signal.aborted) {
        process.stderr.write('Stopping… press Ctrl-C again to quit now\n')
        controller.abort(name)
        return
      }
      killAllProcesses()
      process.exit(interrupted)
    })
  return controller
}

/** @throws {UsageError} if the file cannot be written */
function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${messageOf(error)}`)
  }
}

/** @throws {UsageError} if no case matches */
function selectCases(only: readonly string[]): readonly Case[] {
  const selected = cases.filter(
    ({ kind, name }) => only.length === 0 || only.some((text) => `${kind}: ${name}`.includes(text)),
  )
  if (selected.length > 0) return selected
  throw new UsageError(`No case matches "${only.join('", "')}". See: conformance --list`)
}

function list(selected: readonly Case[], { json }: Flags): number {
  const lines = selected.map(({ kind, name, about, expected }) => `${kind}: ${name}: ${about} (${expected})`)
  print(json === true ? JSON.stringify(selected) : lines.join('\n'))
  return 0
}

/** @throws {UsageError} unless the flags name exactly one subject, with only its own options */
function readSubject(flags: Flags): Subject {
  const { against, stopHook, startHook, ciCheck, confirm, resultLine } = flags
  const start = given({ start: startHook, confirm })
  const subjects: readonly Subject[] = [
    ...(against === undefined
      ? []
      : [{ kind: 'loop', command: against, resultLine: resultLine === true } as const]),
    ...(stopHook === undefined ? [] : [{ kind: 'stop-hook', command: stopHook, ...start } as const]),
    ...(ciCheck === undefined ? [] : [{ kind: 'ci-check', command: ciCheck } as const]),
  ]
  const [only, ...others] = subjects
  if (only === undefined || others.length > 0)
    throw new UsageError('Pass exactly one of --against, --stop-hook and --ci-check.')
  if (only.kind !== 'stop-hook' && Object.keys(start).length > 0)
    throw new UsageError('--start-hook and --confirm require --stop-hook.')
  if (only.kind !== 'loop' && resultLine === true) throw new UsageError('--result-line requires --against.')
  return only
}

function toJson(results: readonly CaseResult[]) {
  return results.map(({ case: { kind, name, expected }, reported, ...measured }) => {
    const { claim, end, result } = reported
    return { kind, name, expected, claim, end, ...result, ...measured }
  })
}
