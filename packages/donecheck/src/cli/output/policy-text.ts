/** What the gate says, as a person reads it. */
import type { RuleMatch } from '@donecheck/core/events'
import {
  explain,
  explainMatch,
  type CommandReport,
  type LintFinding,
  type ScriptReport,
} from '@donecheck/engine/gate'
import type { Line } from '@donecheck/engine/report'
import { quoteWord } from './quoted-word.ts'

const tones = { allow: 'good', prompt: 'strong', forbidden: 'bad' } as const

export function scriptLines(report: ScriptReport): readonly Line[] {
  const { script, decision, commands, obstacles } = report
  const [head = '', ...rest] = explain({ ...decision, matches: [] })
  return [
    { tone: tones[decision.kind], text: head },
    ...rest.map(plain),
    ...commands.flatMap((command) => commandLines(command, script)),
    ...report.matches.flatMap((match) => [blank, ...matchLines(match, script)]),
    ...(obstacles.length === 0 ? [] : [blank]),
    ...obstacles.map(({ reason, isOpen }) =>
      plain(`${isOpen ? 'not known' : 'not known, and of no weight here'}: ${reason}`),
    ),
  ]
}

function commandLines(command: CommandReport, script: string): readonly Line[] {
  const { words, span, holder, through, kind, matches, reason } = command
  const text =
    span === null
      ? words.map((word) => (word === null ? '?' : quoteWord(word))).join(' ')
      : script.slice(...span)
  return [
    blank,
    { tone: tones[kind], text: `${kind}  ${text.replaceAll(/\s*\n\s*/gu, ' ')}` },
    ...(through.length === 0 ? [] : [plain(`  through ${through.join(', ')}`)]),
    ...(matches.length === 0
      ? [plain(`  ${reason}`)]
      : matches.flatMap((match) => matchLines(match, script, holder))),
  ]
}

/** @param holder of the words in which a match stands that has no place of its own */
function matchLines(match: RuleMatch, script: string, holder: RuleMatch['span'] = null): readonly Line[] {
  const placed = { ...match, span: match.span ?? holder }
  return explainMatch(placed, script).map((text) => plain(`  ${text}`))
}

/** Such as `default.rules:3: shadowed: …`. */
export function lintLine({ kind, rule, source, message }: LintFinding): Line {
  const { file = source.layer, line } = source
  return plain(`${file}${line === undefined ? '' : `:${line}`}: ${kind}: ${rule}: ${message}`)
}

const blank: Line = { tone: 'plain', text: '' }

function plain(text: string): Line {
  return { tone: 'plain', text }
}
