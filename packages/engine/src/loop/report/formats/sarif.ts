/** Findings and open checks as SARIF 2.1.0, which code hosts and editors show beside the lines. */
import type { FindingEvidence, GuardResponse, Verdict } from '@donecheck/core/verdicts'
import {
  failedTestsOf,
  findingsOf,
  placeOf,
  checkResultOf,
  waiverWords,
  type CheckedReport,
  type CheckResult,
} from './check-results.ts'
import { plainLine, plainText } from './plain-text.ts'

export type SarifLevel = 'error' | 'warning' | 'note'

/** A part of the format: what we write of it. */
export interface SarifLog {
  readonly $schema: string
  readonly version: '2.1.0'
  readonly runs: readonly SarifRun[]
}

export interface SarifRun {
  readonly tool: {
    readonly driver: { readonly name: string; readonly version: string; readonly rules: readonly SarifRule[] }
  }
  readonly columnKind: 'utf16CodeUnits'
  readonly results: readonly SarifResult[]
}

export interface SarifRule {
  readonly id: string
  readonly shortDescription: SarifText
  /** Why it matters, and how to let it pass. */
  readonly help: SarifText
}

export interface SarifResult {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: SarifLevel
  readonly message: SarifText
  readonly locations: readonly SarifLocation[]
  readonly suppressions?: readonly SarifSuppression[]
}

export interface SarifLocation {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId: '%SRCROOT%' }
    readonly region?: { readonly startLine: number }
  }
}

export interface SarifSuppression {
  readonly kind: 'external'
  readonly status: 'accepted'
  /** By whom, until when and why. */
  readonly justification: string
}

export interface SarifText {
  readonly text: string
}

/** Longest message, in UTF-16 units. */
const maxMessage = 4_000

/** A result with what its rule says, the first time that it is met. */
interface Noticed {
  readonly result: Omit<SarifResult, 'ruleIndex'>
  readonly title: string
  readonly help: string
}

/** Nothing to say is a log without results. A finding that was waived is there, suppressed. */
export function sarifReport(report: CheckedReport): SarifLog {
  const noticed = report.verdicts.flatMap((verdict) => noticedIn(verdict, report))
  const rules = new Map<string, SarifRule>()
  for (const { result, title, help } of noticed)
    if (!rules.has(result.ruleId))
      rules.set(result.ruleId, {
        id: result.ruleId,
        shortDescription: { text: title },
        help: { text: help },
      })
  const ids = [...rules.keys()]
  const results = noticed.map(({ result }) => ({ ...result, ruleIndex: ids.indexOf(result.ruleId) }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'donecheck', version: plainLine(report.version, 50), rules: [...rules.values()] },
        },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  }
}

function noticedIn(verdict: Verdict, report: CheckedReport): readonly Noticed[] {
  const status = checkResultOf(verdict, report)
  const findings = findingsOf(verdict).map(ofFinding)
  // A check without a vote that says no is worth a note; one that was skipped has said nothing.
  if (status === 'passed' || verdict.status === 'skipped') return findings
  return [ofCheck(verdict, status), ...findings, ...ofTests(verdict, status)]
}

const levelOfResponse: Readonly<Record<GuardResponse, SarifLevel>> = {
  refuse: 'error',
  restore: 'warning',
  ask: 'warning',
  note: 'note',
}

function ofFinding(finding: FindingEvidence): Noticed {
  const { waiver, ...unwaived } = finding
  const { rule, response, message, why, path, line } = finding
  return {
    title: plainLine(rule, 100),
    help: `${plainLine(why, 1_000)} ${waiverWords({ ...unwaived, path: 'PATH' })}`,
    result: {
      ruleId: plainLine(rule, 100),
      level: levelOfResponse[response],
      message: { text: messageText(`${message} ${why} ${waiverWords(finding)}`) },
      locations: locationsOf(path, line),
      ...(waiver === undefined
        ? {}
        : {
            suppressions: [{ kind: 'external', status: 'accepted', justification: waiverWords(finding) }],
          }),
    },
  }
}

function ofCheck(verdict: Verdict, status: CheckResult): Noticed {
  return {
    title: titles[verdict.status],
    help: 'A check that has not passed proves nothing: mend the work, or what keeps the check from running.',
    result: {
      ruleId: `check.${verdict.status}`,
      level: levelOfResult(status),
      message: { text: messageText(`${verdict.verifier}: ${verdict.reason}`) },
      locations: [],
    },
  }
}

const titles: Readonly<Record<Verdict['status'], string>> = {
  passed: 'A check passed',
  failed: 'A check failed',
  error: 'A check could not be decided',
  skipped: 'A check was skipped',
  pending: 'A check waits for somebody',
}

function ofTests(verdict: Verdict, status: CheckResult): readonly Noticed[] {
  return failedTestsOf(verdict).map(({ name, file, line, message = '' }) => ({
    title: 'A test failed',
    help: 'The test shows that the work does not do what it should, or that the test expects something else.',
    result: {
      ruleId: 'test.failed',
      level: levelOfResult(status),
      message: { text: messageText(`${name}: ${message}`) },
      locations: locationsOf(file, line),
    },
  }))
}

function levelOfResult(status: CheckResult): SarifLevel {
  return status === 'left-out' ? 'note' : 'error'
}

function messageText(text: string): string {
  const plain = plainText(text).trim()
  return plain.length <= maxMessage ? plain : `${plain.slice(0, maxMessage).toWellFormed()}…`
}

function locationsOf(path: string | undefined, line: number | undefined): readonly SarifLocation[] {
  const place = placeOf(path, line)
  if (place === undefined) return []
  const uri = place.path.split('/').map(encodeURIComponent).join('/')
  const region = place.line === undefined ? {} : { region: { startLine: place.line } }
  return [{ physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...region } }]
}
