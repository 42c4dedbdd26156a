/** Prints the events of a run as donecheck does, with headings and evidence. */
import { createTwoFilesPatch } from 'diff'
import type { AgentRun, RunEvent, RunResult, Verdict } from 'donecheck'
import type { RunState } from '@donecheck/core'
import { evolve } from '@donecheck/core'
import { eventLines, firstLines, harmless, type Tone } from '@donecheck/engine/display'
import colors from 'picocolors'

export type OnEvent = (event: RunEvent, state: RunState) => void

export function print(text = ''): void {
  process.stdout.write(`${text}\n`)
}

export function heading(title: string, text: string): void {
  print(`\n${colors.bold(`=== ${title} ===`)}\n\n${text}\n`)
}

/** Waits for the run and passes each event on, with the state after it. */
export async function follow(run: AgentRun, onEvent: OnEvent): Promise<RunResult> {
  let state: RunState | undefined
  for await (const event of run) {
    state = evolve(state, event)
    onEvent(event, state)
  }
  return run
}

export const showEvent: OnEvent = (event, state) => {
  if (event.type === 'model-replied' && event.text !== '') print(firstLines(event.text, 4, '  | '))
  for (const { tone, text } of eventLines(event, state)) print(painted(tone, text))
}

const paints: Readonly<Record<Tone, (text: string) => string>> = {
  plain: String,
  quiet: colors.dim,
  good: colors.green,
  bad: colors.red,
  warning: colors.yellow,
  strong: colors.bold,
}

function painted(tone: Tone, text: string): string {
  return paints[tone](text)
}

const shownOutputLines = 14

/** Prints the command of each verdict, its exit code and the end of its output, without stack frames. */
export function showEvidence(verdicts: readonly Verdict[]): void {
  for (const evidence of verdicts.flatMap((verdict) => verdict.evidence)) {
    if (evidence.kind !== 'command') continue
    const { command, exitCode, output } = evidence
    const lines = harmless(`${output.head}${output.tail}`).split('\n').filter(isTelling)
    print(
      `  $ ${command}    (exit code ${exitCode ?? 'none'}, SHA-256 of the output ${output.digest.slice(0, 12)})`,
    )
    for (const line of lines.slice(-shownOutputLines)) print(colors.dim(`  | ${line}`))
  }
}

function isTelling(line: string): boolean {
  return !/^\s*(at .*)?$/.test(line)
}

export function showDiff(file: string, before: string, after: string): void {
  const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, {
    context: 1,
  })
  for (const line of patch.trimEnd().split('\n').slice(1)) print(`  ${paintDiff(line)}`)
}

function paintDiff(line: string): string {
  if (line.startsWith('+')) return colors.green(line)
  return line.startsWith('-') ? colors.red(line) : line
}
