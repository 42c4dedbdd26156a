import type { CommandEvidence, Evidence, Verdict } from '@donecheck/core/internal/events/verdicts'
import { given } from '../../../base/index.ts'
import {
  failedTestsOf,
  findingsOf,
  placeOf,
  checkResultOf,
  statusWords,
  waiverWords,
  type CheckedReport,
  plainLine,
  plainText,
} from './check-results.ts'

/** One test case per check: `failure`, `error` if undecided or waiting, `skipped` without a vote. */
export function junitReport(report: CheckedReport): string {
  const results = report.verdicts.map((verdict) => checkResultOf(verdict, report))
  const count = (status: string) => results.filter((one) => one === status).length
  const totals = {
    name: 'donecheck',
    tests: report.verdicts.length,
    failures: count('failed'),
    errors: count('broken'),
    skipped: count('left-out'),
    time: secondsOf(report.verdicts.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  }
  const cases = report.verdicts.map((verdict) => testCase(verdict, report))
  const suite = xmlElement('testsuite', totals, [
    properties({
      'donecheck.version': report.version,
      ...given({ 'donecheck.outcome': report.outcome }),
    }),
    ...cases,
  ])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement('testsuites', totals, [suite])}\n`
}

function testCase(verdict: Verdict, report: CheckedReport): string {
  const attributes = {
    name: plainLine(verdict.verifier, 300),
    classname: 'donecheck',
    time: secondsOf(verdict.durationMs),
  }
  const outputs = verdict.evidence.filter((entry) => entry.kind === 'command').map(outputOf)
  return xmlElement('testcase', attributes, [
    properties(propertiesOf(verdict)),
    ...resultOf(verdict, report),
    ...(outputs.length === 0 ? [] : [xmlElement('system-out', {}, [xmlText(outputs.join('\n\n'))])]),
  ])
}

function resultOf(verdict: Verdict, report: CheckedReport): readonly string[] {
  const message = plainLine(verdict.reason, 1_000)
  const details = [xmlText(detailsOf(verdict))]
  switch (checkResultOf(verdict, report)) {
    case 'passed':
      return []
    case 'failed':
      return [xmlElement('failure', { message, type: statusWords(verdict) }, details)]
    case 'broken':
      return [xmlElement('error', { message, type: statusWords(verdict) }, details)]
    case 'left-out':
      return [xmlElement('skipped', { message: `${statusWords(verdict)}, without a vote: ${message}` }, [])]
  }
}

function detailsOf(verdict: Verdict): string {
  const findings = findingsOf(verdict).map((finding) => {
    const place = placeWords(finding.path, finding.line)
    return `${finding.rule}${place}: ${finding.message}\n  ${finding.why}\n  ${waiverWords(finding)}`
  })
  const tests = failedTestsOf(verdict).map(({ name, file, line, message = '' }) =>
    `${name}${placeWords(file, line)}\n  ${message}`.trimEnd(),
  )
  return [verdict.reason, ...findings, ...tests].join('\n')
}

function placeWords(path: string | undefined, line: number | undefined): string {
  const place = placeOf(path, line)
  if (place === undefined) return ''
  return place.line === undefined ? ` (${place.path})` : ` (${place.path}:${place.line})`
}

function propertiesOf(verdict: Verdict): Readonly<Record<string, string>> {
  const { status, qualifiers, score, fingerprint } = verdict
  return {
    status,
    ...(qualifiers.length === 0 ? {} : { qualifiers: qualifiers.join(' ') }),
    ...given({ score: score?.toString(), fingerprint }),
    ...Object.fromEntries(verdict.evidence.flatMap(propertiesOfEvidence)),
  }
}

function propertiesOfEvidence(evidence: Evidence): readonly (readonly [string, string])[] {
  if (evidence.kind === 'tests')
    return Object.entries(evidence.counts).map(([name, count]) => [`tests.${name}`, String(count)])
  if (evidence.kind !== 'command') return []
  return [
    ['command', evidence.command],
    ['exitCode', String(evidence.exitCode ?? evidence.signal)],
  ]
}

/** The head is complete unless it was cut; then the end is more useful. */
function outputOf({ output }: CommandEvidence): string {
  if (output.tail === '') return output.head
  return output.omittedBytes > 0
    ? `… ${output.omittedBytes} bytes left out …\n${output.tail}`
    : output.head + output.tail
}

function properties(values: Readonly<Record<string, string>>): string {
  const each = Object.entries(values).map(([name, value]) =>
    xmlElement('property', { name, value: plainText(value) }, []),
  )
  return each.length === 0 ? '' : xmlElement('properties', {}, each)
}

function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** UTF-16 units per element. */
const maxText = 100_000

/** @param children elements and escaped text */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[],
): string {
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`)
  const inside = children.join('')
  return inside === '' ? `<${name}${words.join('')}/>` : `<${name}${words.join('')}>${inside}</${name}>`
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
}

export function xmlText(value: string): string {
  const plain = plainText(value)
  const cut = plain.length <= maxText ? plain : `${plain.slice(0, maxText).toWellFormed()}…`
  return cut.replace(/[&<>]/g, (character) => references[character] ?? '')
}

function attribute(value: string): string {
  return plainText(value).replace(/[&<>"'\n\t]/g, (character) => references[character] ?? '')
}
