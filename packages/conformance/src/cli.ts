import { writeFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { donecheckVersion, given, messageOf, UsageError } from '@donecheck/engine/internal/base'
import { killAllProcesses } from '@donecheck/engine/internal/system/process'
import type { Case } from './case.ts'
import { cases } from './cases.ts'
import { conformanceJunit, conformanceLine, conformanceTable, tableText } from './report.ts'
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

Commands run by sh in the project of each case, with AGENT, CHECK, TASK, MAX_TURNS, CHECK_SECONDS and SCRATCH (a folder for what
they keep) in the environment. Exit code 1: some case is not as it should be.`

const [wrongUsage, interrupted] = [2, 130]

/** @returns the exit code */
export async function main(words: readonly string[]): Promise<number> {
  try {
    const program = commandLine().parse(words, { from: 'user' })
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
    .description('try any loop, Stop hook or CI check with agents that work, idle, lie and tamper')
    .version(donecheckVersion, '-v, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .option(
      '--against <command>',
      'a loop: it calls "$AGENT" "$TASK" and exits with 0 if it calls the work done',
    )
    .option('--stop-hook <command>', 'a Stop hook in the manner of Claude Code, called after every turn')
    .option('--start-hook <command>', 'with --stop-hook: called for SessionStart and UserPromptSubmit before')
    .option(
      '--confirm <command>',
      'with --stop-hook: called after a stop that was let through; another exit code than 0 denies it',
    )
    .option('--result-line', 'with --against: its last line is JSON, whose outcome and reason are judged too')
    .option('--ci-check <command>', 'a CI check: sees the final tree and accepts it with exit code 0')
    .option('--only <text>', 'cases whose kind or name contains this (repeatable)', collect)
    .option('--list', 'list the cases, and try nothing')
    .option('--parallel <count>', 'cases at a time (default: 3)', positive)
    .option('--timeout <seconds>', 'for each command of a case (default: 60)', positive)
    .option('--junit <file>', 'write a JUnit report')
    .option('--json', 'as JSON')
    .addHelpText('after', help)
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function positive(text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new InvalidArgumentError(`"${text}" is not a positive number.`)
}

async function tryCases(flags: Flags): Promise<number> {
  const chosen = casesCalled(flags.only ?? [])
  if (flags.list === true) return list(chosen, flags)
  const subject = subjectOf(flags)
  const { signal } = listenForInterrupts()
  const results = await runConformance({
    subject,
    cases: chosen,
    signal,
    ...given({ parallel: flags.parallel }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 }),
    onResult: (result) => {
      if (flags.json !== true) print(conformanceLine(result))
    },
  })
  if (signal.aborted) return interrupted
  if (flags.junit !== undefined) writeReport(flags.junit, conformanceJunit(results))
  print(flags.json === true ? JSON.stringify(jsonOf(results)) : `\n${tableText(conformanceTable(results))}`)
  return results.every(({ problems }) => problems.length === 0) ? 0 : 1
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The first interrupt lets the cases clean up, the second kills everything. */
function listenForInterrupts(): AbortController {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (!controller.signal.aborted) {
        process.stderr.write('stopping; once more ends it at once\n')
        controller.abort(name)
        return
      }
      killAllProcesses()
      process.exit(interrupted)
    })
  return controller
}

/** @throws {UsageError} for a file that cannot be written */
function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`)
  }
}

/** @throws {UsageError} if none is left */
function casesCalled(only: readonly string[]): readonly Case[] {
  const chosen = cases.filter(
    ({ kind, name }) => only.length === 0 || only.some((text) => `${kind}: ${name}`.includes(text)),
  )
  if (chosen.length > 0) return chosen
  throw new UsageError(`no case is called ${only.join(', ')}; --list lists them`)
}

function list(chosen: readonly Case[], { json }: Flags): number {
  const lines = chosen.map(({ kind, name, about, wanted }) => `${kind}: ${name}: ${about} (${wanted})`)
  print(json === true ? JSON.stringify(chosen) : lines.join('\n'))
  return 0
}

/** @throws {UsageError} unless exactly one is named, with nothing that belongs to another */
function subjectOf(flags: Flags): Subject {
  const { against, stopHook, startHook, ciCheck, confirm, resultLine } = flags
  const start = given({ start: startHook, confirm })
  const named: readonly Subject[] = [
    ...(against === undefined
      ? []
      : [{ kind: 'loop', command: against, resultLine: resultLine === true } as const]),
    ...(stopHook === undefined ? [] : [{ kind: 'stop-hook', command: stopHook, ...start } as const]),
    ...(ciCheck === undefined ? [] : [{ kind: 'ci-check', command: ciCheck } as const]),
  ]
  const [only, ...others] = named
  if (only === undefined || others.length > 0)
    throw new UsageError('name one of --against, --stop-hook and --ci-check: a command that is to be tried')
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
