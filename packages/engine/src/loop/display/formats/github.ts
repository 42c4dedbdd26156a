import type { FindingEvidence, GuardResponse, Verdict } from '@donecheck/core/internal/events/verdicts'
import {
  failedTestsOf,
  findingsOf,
  placeOf,
  checkResultOf,
  statusWords,
  waiverWords,
  type CheckedReport,
  type Placed,
  plainLine,
  plainText,
} from './check-results.ts'
import { fold } from '@donecheck/core/internal/state'
import type { RunEvent } from '@donecheck/core/internal/events'
import { finalLine } from '../lines/final-line.ts'
import { timeline } from '../lines/timeline.ts'

interface GithubReport {
  readonly commands: readonly string[]
  readonly summary: string
}

type Severity = 'error' | 'warning' | 'notice'

/** GitHub limits a summary to 1 MiB; further rows are only counted. */
const maxRows = 200
const maxMessage = 4_000

export function githubReport(report: CheckedReport): GithubReport {
  const { verdicts } = report
  // GitHub shows ten of a kind, so deciding ones come first.
  const commands = [
    ...verdicts.flatMap((verdict) => ofCheck(verdict, report)),
    ...verdicts.flatMap((verdict) => findingsOf(verdict).map(ofFinding)),
    ...verdicts.flatMap((verdict) => ofTests(verdict, report)),
  ]
  return { commands, summary: summaryOf(report) }
}

/** Undefined if there is nothing to report. */
function severityOfCheck(verdict: Verdict, report: CheckedReport): Severity | undefined {
  const status = checkResultOf(verdict, report)
  if (status === 'passed' || verdict.status === 'skipped') return undefined
  return status === 'left-out' ? 'notice' : 'error'
}

function ofCheck(verdict: Verdict, report: CheckedReport): readonly string[] {
  const severity = severityOfCheck(verdict, report)
  const title = `${verdict.verifier}: ${statusWords(verdict)}`
  return severity === undefined ? [] : [command(severity, undefined, title, verdict.reason)]
}

function ofTests(verdict: Verdict, report: CheckedReport): readonly string[] {
  const severity = severityOfCheck(verdict, report)
  if (severity === undefined) return []
  return failedTestsOf(verdict).flatMap(({ name, file, line, message = '' }) => {
    const place = placeOf(file, line)
    return place === undefined ? [] : [command(severity, place, name, message === '' ? name : message)]
  })
}

const severityOf: Readonly<Record<GuardResponse, Severity>> = {
  refuse: 'error',
  ask: 'warning',
  note: 'notice',
}

function ofFinding(finding: FindingEvidence): string {
  const { rule, response, message, why, path, line, waiver } = finding
  const severity = waiver === undefined ? severityOf[response] : 'notice'
  return command(severity, placeOf(path, line), rule, `${message}\n${why}\n${waiverWords(finding)}`)
}

function command(severity: Severity, place: Placed | undefined, title: string, message: string): string {
  const properties = [
    ...(place === undefined ? [] : [`file=${property(place.path)}`]),
    ...(place?.line === undefined ? [] : [`line=${place.line}`]),
    `title=${property(plainLine(title, 200))}`,
  ]
  const plain = plainText(message).trim().slice(0, maxMessage).toWellFormed()
  return `::${severity} ${properties.join(',')}::${data(plain)}`
}

/** Escapes text so that it cannot start another workflow command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function summaryOf(report: CheckedReport): string {
  const checks = report.verdicts.map((verdict) => [
    marks[checkResultOf(verdict, report)],
    cell(verdict.verifier, 200),
    cell(statusWords(verdict), 200),
    cell(testWords(verdict), 200),
    cell(verdict.reason, 500),
  ])
  const findings = report.verdicts.flatMap(findingsOf).map((finding) => {
    const place = placeOf(finding.path, finding.line)
    const where =
      place === undefined ? '' : [place.path, ...(place.line === undefined ? [] : [place.line])].join(':')
    return [finding.rule, where, finding.message, finding.why, waiverWords(finding)].map((text) =>
      cell(text, 700),
    )
  })
  const heading = report.outcome === undefined ? 'donecheck' : `donecheck: ${report.outcome}`
  return [
    `## ${markdownText(plainLine(heading, 100))}`,
    ...table(['', 'check', 'status', 'tests', 'why'], checks),
    ...(findings.length === 0 ? [] : ['### Findings']),
    ...table(['rule', 'where', 'what', 'why it matters', 'waiver'], findings),
    '',
  ].join('\n\n')
}

const marks = { passed: '✅', failed: '❌', broken: '⚠️', 'left-out': '➖' } as const

function testWords({ evidence }: Verdict): string {
  return evidence
    .flatMap((entry) => (entry.kind === 'tests' ? [entry.counts] : []))
    .map(({ passed, total }) => `${passed} of ${total} passed`)
    .join('; ')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const lines = [head, head.map(() => '---'), ...rows.slice(0, maxRows)]
  const rest = rows.length - maxRows
  return [
    lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ]
}

function cell(text: string, maxLength: number): string {
  return markdownText(plainLine(text, maxLength))
}

/** Escapes one line for a heading or cell: markup becomes character references, which GitHub never parses. */
export function markdownText(line: string): string {
  return line
    .replace(/[&<>"'\\`*_{}[\]()#+!|~@:$^=]/g, reference)
    .replace(/\s/g, ' ')
    .replace(/(?<=www)\./gi, reference)
}

function reference(character: string): string {
  return `&#${character.codePointAt(0) ?? 0xfffd};`
}

/** UTF-16 units; fits a GitHub comment with the tables. */
const maxTimeline = 30_000

/** Foreign text is in cells and fences that it cannot close. */
export function markdownReport(events: readonly RunEvent[], checked: CheckedReport): string {
  const state = fold(events)
  const lines = timeline(events).map(({ text }) => plainText(text))
  const parts = [
    githubReport(checked).summary.trimEnd(),
    ...(state?.phase.kind === 'stopped' ? [fenced(plainText(finalLine(state)))] : []),
    `<details><summary>Timeline</summary>\n\n${fenced(lastUnits(lines.join('\n')))}\n\n</details>`,
  ]
  return `${parts.join('\n\n')}\n`
}

function lastUnits(text: string): string {
  return text.length <= maxTimeline ? text : `…\n${text.slice(-maxTimeline).toWellFormed()}`
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}
