/** The checks of a run that stand between it and `verified`, with the evidence in a few words. */
import { isOpen } from '@donecheck/core/policies'
import type { RunState } from '@donecheck/core/state'
import type { Evidence, Verdict, VerdictStatus } from '@donecheck/core/verdicts'
import { oneLine } from '@donecheck/core/base'
import { outputHint } from '../lines/verdict-lines.ts'

export interface OpenCheck {
  readonly name: string
  /** `not-asked`: it never came to its turn. */
  readonly status: VerdictStatus | 'not-asked'
  readonly reason: string
  /** What was seen, the most telling first: failed tests, findings, a line of the output. */
  readonly evidence: readonly string[]
}

/** Those that failed first, then those that could not decide. */
export function openChecks({ settings, checks }: RunState): readonly OpenCheck[] {
  const open = settings.verifiers.flatMap(({ name, required, role }): readonly OpenCheck[] => {
    const latest = checks[name]?.latest
    if (latest === undefined)
      return required && role === 'check' ? [{ name, status: 'not-asked', reason: '', evidence: [] }] : []
    return (required || role === 'guard') && isOpen(latest) ? [openCheck(latest)] : []
  })
  return open.toSorted((one, other) => rank(one) - rank(other))
}

export function passedChecks({ settings, checks }: RunState): readonly string[] {
  return settings.verifiers.flatMap(({ name, role }) =>
    role !== 'guard' && checks[name]?.latest?.status === 'passed' ? [name] : [],
  )
}

function rank({ status }: OpenCheck): number {
  return ['failed', 'error', 'pending', 'skipped', 'not-asked'].indexOf(status)
}

function openCheck(verdict: Verdict): OpenCheck {
  const { verifier, status, reason, evidence } = verdict
  const hint = outputHint(verdict).map(({ text }) => text.trim())
  return { name: verifier, status, reason, evidence: [...evidence.flatMap(seen), ...hint] }
}

const maxSeen = 20

function seen(piece: Evidence): readonly string[] {
  switch (piece.kind) {
    case 'tests':
      return piece.failed
        .slice(0, maxSeen)
        .map(({ name, file, line, message }) => `${name}${placeOf(file, line)}${saidOf(message)}`)
    case 'finding':
      return [`${piece.path === undefined ? '' : `${piece.path}: `}${piece.message}`]
    case 'judge':
      return piece.said === 'met' ? [] : [piece.reason]
    case 'file':
      return piece.digest === null ? [`${piece.path} is missing`] : []
    case 'measure':
      return [
        `${piece.name} is ${Number(piece.value.toFixed(4))}${piece.bound === undefined ? '' : `, bound ${piece.bound}`}`,
      ]
    case 'command':
    case 'note':
    case 'authority':
      return []
  }
}

function placeOf(file: string | undefined, line: number | undefined): string {
  return file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`
}

function saidOf(message: string | undefined): string {
  return message === undefined ? '' : `: ${oneLine(message, 200)}`
}
