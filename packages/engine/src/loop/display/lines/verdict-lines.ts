import type {
  CommandEvidence,
  Evidence,
  FindingEvidence,
  JudgeEvidence,
  TestsEvidence,
  Verdict,
} from '@donecheck/core/internal/events/verdicts'
import {
  evidenceWords,
  failedTestWords,
  markOf,
  testCountWords,
  testWords,
  toneOf,
} from '@donecheck/core/internal/state/words'
import { waiverWords } from '../formats/check-results.ts'
import { oneLine, plural, seconds, line, type Line } from '@donecheck/core/internal/base'

const maxTests = 10
const maxFindings = 20
const maxQuotes = 5
const maxOutputLines = 12

export function verdictLines(verdict: Verdict, prefix = ''): readonly Line[] {
  const { status, qualifiers, durationMs, evidence } = verdict
  const words = qualifiers.length === 0 ? '' : ` [${qualifiers.join(', ')}]`
  const took = durationMs >= 100 ? ` (${seconds(durationMs)})` : ''
  const text = `${markOf(verdict)} ${prefix}${oneLine(withoutFirstTest(verdict), 400)}${words}${took}`
  const head = line(toneOf(status), text)
  if (prefix !== '' && status !== 'error') return [head]
  return [
    head,
    ...evidence.flatMap((piece) => evidenceLines(piece, verdict)),
    ...findingLines(evidence.filter((piece) => piece.kind === 'finding')),
  ]
}

function evidenceLines(piece: Evidence, { status, reason, evidence }: Verdict): readonly Line[] {
  switch (piece.kind) {
    case 'tests':
      return testLines(piece, reason)
    case 'command':
      // Test messages are more useful than the end of the output.
      return status === 'error' || (status === 'failed' && !explainsTests(evidence)) ? outputLines(piece) : []
    case 'judge': {
      const cost = piece.costUsd === null ? '' : `, $${piece.costUsd.toFixed(4)}`
      return [...evidenceWords(piece).map((words) => quiet(`    ${words}${cost}`)), ...quoteLines(piece)]
    }
    case 'measure':
    case 'note':
    case 'file':
    case 'authority':
      return evidenceWords(piece).map((words) => quiet(`    ${words}`))
    case 'finding':
      return []
  }
}

function quoteLines({ quotes }: JudgeEvidence): readonly Line[] {
  return quotes.slice(0, maxQuotes).map(({ text, source }) => {
    const place = source === undefined ? '' : ` (${oneLine(source, 100)})`
    return quiet(`      quoted: "${oneLine(text, 200)}"${place}`)
  })
}

function explainsTests(evidence: readonly Evidence[]): boolean {
  return evidence.some(
    (piece) => piece.kind === 'tests' && piece.failed.some(({ message }) => message !== undefined),
  )
}

function withoutFirstTest({ reason, evidence }: Verdict): string {
  const [first] = evidence.flatMap((piece) => (piece.kind === 'tests' ? piece.failed : []))
  return first === undefined ? reason : reason.replace(`, first: ${testWords(first)}`, '')
}

function testLines({ counts, failed }: TestsEvidence, reason: string): readonly Line[] {
  const isCounted = /\d (?:of \d+ tests|passed)/.test(reason)
  const shown = failed
    .slice(0, maxTests)
    .map((test): Line => ({ tone: 'bad', text: `    ✗ ${failedTestWords(test)}` }))
  const rest = failed.length - shown.length
  return [
    ...(isCounted ? [] : [quiet(`    ${plural(counts.total, 'test')}: ${testCountWords(counts)}`)]),
    ...shown,
    ...(rest > 0 ? [quiet(`    … ${plural(rest, 'more failed test')}`)] : []),
  ]
}

function outputLines({ command, output }: CommandEvidence): readonly Line[] {
  const whole = `${output.head}${output.omittedBytes > 0 ? '\n…\n' : ''}${output.tail}`.trimEnd()
  if (whole.trim() === '') return []
  const lines = whole.split('\n').filter(isSaid)
  const shown = lines.slice(-maxOutputLines).map((text) => quiet(`    | ${oneLine(text, 200)}`))
  return [quiet(`    $ ${oneLine(command, 200)}`), ...shown]
}

function isSaid(line: string): boolean {
  return line.trim() !== '' && !/^npm notice\b/.test(line)
}

/** The first output line with an error, otherwise the last, for checks without a test report. */
export function outputHint({ status, evidence }: Verdict): readonly Line[] {
  if (status === 'passed' || evidence.some(({ kind }) => kind === 'tests')) return []
  const lines = evidence
    .flatMap((piece) => (piece.kind === 'command' ? [piece.output.head, piece.output.tail] : []))
    .flatMap((text) => text.split('\n'))
    .filter((text) => /\w/.test(text) && isSaid(text))
  const hint = lines.find((text) => /error|missing|cannot|not found|unknown|fail/i.test(text)) ?? lines.at(-1)
  return hint === undefined ? [] : [quiet(`    | ${oneLine(hint.trim(), 200)}`)]
}

export function findingLines(findings: readonly FindingEvidence[]): readonly Line[] {
  const shown = findings.slice(0, maxFindings).flatMap((finding): readonly Line[] => {
    const { path, line, message, rule, response, why, waiver } = finding
    const place = path === undefined ? '' : `${oneLine(path, 200)}${line === undefined ? '' : `:${line}`} `
    const tone = waiver !== undefined || response === 'note' ? 'quiet' : 'warning'
    return [
      { tone, text: `    ${place}${oneLine(message, 300)} [${rule}: ${response}]` },
      quiet(`      ${oneLine(why, 300)}`),
      quiet(`      ${oneLine(waiverWords(finding), 400)}`),
    ]
  })
  const rest = findings.length - maxFindings
  return [...shown, ...(rest > 0 ? [quiet(`    … ${plural(rest, 'more finding')}`)] : [])]
}

function quiet(text: string): Line {
  return { tone: 'quiet', text }
}
