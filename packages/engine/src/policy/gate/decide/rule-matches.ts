import type { RuleMatch } from '@donecheck/core/events'
import { given } from '../../../base/index.ts'
import type { FoundCommand } from '../../../analysis/shell/index.ts'
import type { Danger } from '../built-in-rules/built-in-rule.ts'
import type { BuiltInMatch } from '../built-in-rules/match-built-in-rules.ts'
import type { PathRule, PrefixMatch, PrefixRule, RuleSource } from '../rules/rule.ts'

export function matchOfRule({ rule, wordIndexes }: PrefixMatch, command: FoundCommand): RuleMatch {
  return {
    rule: `prefix_rule ${patternText(rule)}`,
    decision: rule.decision,
    source: sourceText(rule.source),
    ...wordsAt(command, wordIndexes),
    ...given({ justification: rule.justification }),
  }
}

export function builtInMatchOf({ rule, wordIndexes }: BuiltInMatch, command: FoundCommand): RuleMatch {
  return matchOfDanger(rule, wordsAt(command, wordIndexes))
}

export function matchOfDanger(
  { name, severity, justification }: Danger,
  { words, span }: Pick<RuleMatch, 'words' | 'span'>,
): RuleMatch {
  const decision = severity === 'forbidden' ? 'forbidden' : 'prompt'
  return { rule: `built-in: ${name}`, decision, source: 'built-in', words, span, justification }
}

export function matchOfPath(rule: PathRule, word: string, span: RuleMatch['span']): RuleMatch {
  return {
    rule: `path_rule ${rule.paths.join(' ')}`,
    decision: rule.decision,
    source: sourceText(rule.source),
    words: [word],
    span,
    ...given({ justification: rule.justification }),
  }
}

/** Such as `git push|fetch`. */
function patternText({ pattern }: Pick<PrefixRule, 'pattern'>): string {
  return pattern.map((token) => token.join('|')).join(' ')
}

/** Such as `user rules default.rules:12`. */
export function sourceText({ layer, file, line }: RuleSource): string {
  if (layer === 'built-in') return 'built-in'
  if (file === undefined) return `${layer} rules`
  return `${layer} rules ${file}${line === undefined ? '' : `:${line}`}`
}

function wordsAt({ words }: FoundCommand, indexes: readonly number[]): Pick<RuleMatch, 'words' | 'span'> {
  const found = indexes.flatMap((index) => words[index] ?? [])
  const spans = found.flatMap(({ span }) => (span === null ? [] : [span]))
  const isLiteral = spans.length === found.length && spans.length > 0
  return {
    words: found.map(({ text, written }) => text ?? written),
    span: isLiteral
      ? [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to))]
      : null,
  }
}
