/** One verdict for a person: what was found, where, why it matters, and how it could be waived. */
import type { CommandEvidence, Evidence, FindingEvidence, TestsEvidence, Verdict } from '../events/index.ts'
import type { Line, Tone } from './line.ts'
import { authorityWords, waiverWords } from './checked.ts'
import { oneLine, plural, seconds } from '../display-text.ts'

const mostTests = 10
const mostFindings = 20
/** Lines of the end of a failed check's output. */
const mostOutputLines = 12

/** @param prefix what it is a verdict of, such as `baseline: ` */
export function verdictLines(verdict: Verdict, prefix = ''): readonly Line[] {
  const { status, reason, qualifiers, durationMs, evidence } = verdict
  const words = qualifiers.length === 0 ? '' : ` [${qualifiers.join(', ')}]`
  const took = durationMs >= 100 ? ` (${seconds(durationMs)})` : ''
  const head: Line = {
    tone: toneOf(status),
    text: `${markOf(status)} ${prefix}${oneLine(reason, 400)}${words}${took}`,
  }
  if (prefix !== '' && status !== 'error') return [head]
  return [
    head,
    ...evidence.flatMap((piece) => evidenceLines(piece, verdict)),
    ...findingLines(evidence.filter((piece) => piece.kind === 'finding')),
  ]
}

function toneOf(status: Verdict['status']): Tone {
  if (status === 'passed') return 'good'
  return status === 'failed' ? 'bad' : 'warning'
}

function markOf(status: Verdict['status']): string {
  const marks = { passed: '✓', failed: '✗', error: '?', pending: '…', skipped: '–' } as const
  return marks[status]
}

function evidenceLines(piece: Evidence, { status }: Verdict): readonly Line[] {
  switch (piece.kind) {
    case 'tests':
      return testLines(piece)
    case 'command':
      return status === 'failed' || status === 'error' ? outputLines(piece) : []
    case 'measure': {
      const bound = piece.bound === undefined ? '' : ` (bound ${piece.bound})`
      return [quiet(`    ${oneLine(piece.name, 100)}: ${Number(piece.value.toFixed(4))}${bound}`)]
    }
    case 'note':
      return [quiet(`    ${oneLine(piece.text, 300)}`)]
    case 'file':
      return piece.digest === null ? [quiet(`    ${oneLine(piece.path, 200)}: missing`)] : []
    case 'authority':
      return [quiet(`    ${oneLine(authorityWords(piece), 400)}`)]
    case 'finding':
      return []
  }
}

function testLines({ counts, failed }: TestsEvidence): readonly Line[] {
  const parts = [
    `${counts.passed} passed`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.errored > 0 ? [`${counts.errored} errored`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
  ]
  const shown = failed.slice(0, mostTests).map(({ name, file, line, message }): Line => {
    const place = file === undefined ? '' : ` (${oneLine(file, 200)}${line === undefined ? '' : `:${line}`})`
    const said = message === undefined ? '' : `: ${oneLine(message, 200)}`
    return { tone: 'bad', text: `    ✗ ${oneLine(name, 200)}${place}${said}` }
  })
  const rest = failed.length - shown.length
  return [
    quiet(`    ${plural(counts.total, 'test')}: ${parts.join(', ')}`),
    ...shown,
    ...(rest > 0 ? [quiet(`    … ${plural(rest, 'more failed test')}`)] : []),
  ]
}

function outputLines({ command, output }: CommandEvidence): readonly Line[] {
  const whole = `${output.head}${output.omittedBytes > 0 ? '\n…\n' : ''}${output.tail}`.trimEnd()
  if (whole.trim() === '') return []
  const lines = whole.split('\n')
  const shown = lines.slice(-mostOutputLines).map((text) => quiet(`    | ${oneLine(text, 200)}`))
  return [quiet(`    $ ${oneLine(command, 200)}`), ...shown]
}

/** Each with its place, why it matters and how it is waived. */
export function findingLines(findings: readonly FindingEvidence[]): readonly Line[] {
  const shown = findings.slice(0, mostFindings).flatMap((finding): readonly Line[] => {
    const { path, line, message, rule, response, why, waiver } = finding
    const place = path === undefined ? '' : `${oneLine(path, 200)}${line === undefined ? '' : `:${line}`} `
    const tone = waiver !== undefined || response === 'note' ? 'quiet' : 'warning'
    return [
      { tone, text: `    ${place}${oneLine(message, 300)} [${rule}: ${response}]` },
      quiet(`      ${oneLine(why, 300)}`),
      quiet(`      ${oneLine(waiverWords(finding), 400)}`),
    ]
  })
  const rest = findings.length - mostFindings
  return [...shown, ...(rest > 0 ? [quiet(`    … ${plural(rest, 'more finding')}`)] : [])]
}

function quiet(text: string): Line {
  return { tone: 'quiet', text }
}
