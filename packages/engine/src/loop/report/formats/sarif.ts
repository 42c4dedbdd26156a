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
  type Placed,
} from './check-results.ts'
import { plainLine, plainText } from './plain-text.ts'

type Level = 'error' | 'warning' | 'note'

/** Longest message, in UTF-16 units. */
const maxMessage = 4_000

/** What a result says, with what its rule says the first time that it is met. */
interface Noticed {
  readonly ruleId: string
  readonly level: Level
  readonly text: string
  readonly place?: Placed | undefined
  /** By whom, until when and why it was waived: it is there, suppressed. */
  readonly waived?: string | undefined
  readonly title: string
  /** Why it matters, and how to let it pass. */
  readonly help: string
}

/** Nothing to say is a log without results. A finding that was waived is there, suppressed. */
export function sarifReport(report: CheckedReport) {
  const noticed = report.verdicts.flatMap((verdict) => noticedIn(verdict, report))
  const byRule = Map.groupBy(noticed, ({ ruleId }) => ruleId)
  const ids = [...byRule.keys()]
  const rules = [...byRule].map(([id, [first]]) => {
    return { id, shortDescription: { text: first?.title ?? '' }, help: { text: first?.help ?? '' } }
  })
  const results = noticed.map((one) => ({ ...resultOf(one), ruleIndex: ids.indexOf(one.ruleId) }))
  const driver = { name: 'donecheck', version: plainLine(report.version, 50), rules }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0' as const,
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits' as const, results }],
  }
}

function resultOf({ ruleId, level, text, place, waived }: Noticed) {
  const suppression = { kind: 'external', status: 'accepted', justification: waived } as const
  return {
    ...{ ruleId, level, message: { text: messageText(text) } },
    locations: place === undefined ? [] : [locationOf(place)],
    ...(waived === undefined ? {} : { suppressions: [suppression] }),
  }
}

function noticedIn(verdict: Verdict, report: CheckedReport): readonly Noticed[] {
  const status = checkResultOf(verdict, report)
  const findings = findingsOf(verdict).map(ofFinding)
  // A check without a vote that says no is worth a note; one that was skipped has said nothing.
  if (status === 'passed' || verdict.status === 'skipped') return findings
  return [ofCheck(verdict, status), ...findings, ...ofTests(verdict, status)]
}

const levelOfResponse: Readonly<Record<GuardResponse, Level>> = {
  refuse: 'error',
  restore: 'warning',
  ask: 'warning',
  note: 'note',
}

function ofFinding(finding: FindingEvidence): Noticed {
  const { waiver, ...unwaived } = finding
  const { rule, response, message, why, path, line } = finding
  const words = waiverWords(finding)
  return {
    ruleId: plainLine(rule, 100),
    level: levelOfResponse[response],
    text: `${message} ${why} ${words}`,
    place: placeOf(path, line),
    waived: waiver === undefined ? undefined : words,
    title: plainLine(rule, 100),
    help: `${plainLine(why, 1_000)} ${waiverWords({ ...unwaived, path: 'PATH' })}`,
  }
}

function ofCheck(verdict: Verdict, status: CheckResult): Noticed {
  return {
    ruleId: `check.${verdict.status}`,
    level: levelOfResult(status),
    text: `${verdict.verifier}: ${verdict.reason}`,
    title: titles[verdict.status],
    help: 'A check that has not passed proves nothing: mend the work, or what keeps the check from running.',
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
    ruleId: 'test.failed',
    level: levelOfResult(status),
    text: `${name}: ${message}`,
    place: placeOf(file, line),
    title: 'A test failed',
    help: 'The test shows that the work does not do what it should, or that the test expects something else.',
  }))
}

function levelOfResult(status: CheckResult): Level {
  return status === 'left-out' ? 'note' : 'error'
}

function messageText(text: string): string {
  const plain = plainText(text).trim()
  return plain.length <= maxMessage ? plain : `${plain.slice(0, maxMessage).toWellFormed()}…`
}

function locationOf({ path, line }: Placed) {
  const uri = path.split('/').map(encodeURIComponent).join('/')
  const region = line === undefined ? {} : { region: { startLine: line } }
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...region } }
}
