import type { Word, WordPart } from 'unbash'
import { fieldsOf, joinCandidates, splitting, type Candidates } from './candidates.ts'
import type { Facts } from './facts.ts'
import { parameterCandidates, simpleCandidates } from './parameter.ts'
import { literalText } from './word.ts'
import { outputOf } from './printed.ts'

/**
 * The words that a word may become when it runs, by what the line says of its variables. Each element is one
 * possibility: several words, or none where it may vanish. Empty: nothing can be told.
 */
export function resolveWord(word: Word, facts: Facts): readonly (readonly string[])[] {
  const literal = literalText(word)
  if (literal !== null) return [[literal]]
  const { parts } = word
  if (parts === undefined || word.text.startsWith('~') || isUnknownAlone(parts, facts)) return []
  const isQuoted = parts.some(({ type }) => quotes.has(type)) && !parts.some(isAllArguments)
  const texts = resolvedParts(parts, facts, false)
  return (texts ?? []).map((text) => fieldsOf(text, isQuoted))
}

/** The text that an assignment or a heredoc gets, which is not split. */
export function resolveText(
  word: { readonly parts?: readonly WordPart[] | undefined; readonly text: string },
  facts: Facts,
): readonly string[] {
  if (word.parts === undefined) return []
  return resolvedParts(word.parts, facts, true) ?? []
}

const quotes = new Set(['SingleQuoted', 'DoubleQuoted', 'AnsiCQuoted', 'LocaleString'])

/** `"$x"` of a name that is nowhere set: any text may stand there. */
function isUnknownAlone([part, ...others]: readonly WordPart[], facts: Facts): boolean {
  if (others.length > 0 || part?.type !== 'DoubleQuoted' || isAllArguments(part)) return false
  return part.parts.length === 1 && (resolvedPart(part, facts, true) ?? []).every((text) => text === '')
}

/** `"$@"` vanishes where there are no arguments. */
function isAllArguments(part: WordPart): boolean {
  return (
    part.type === 'DoubleQuoted' &&
    part.parts.length === 1 &&
    /^\$(@|\{@\}|\{\w+\[@\]\})$/.test(part.parts[0]?.text ?? '')
  )
}

function resolvedParts(parts: readonly WordPart[], facts: Facts, isQuoted: boolean): Candidates {
  let texts: readonly string[] = ['']
  for (const part of parts) {
    const next = resolvedPart(part, facts, isQuoted)
    if (next === undefined || next.length === 0) return undefined
    texts = joinCandidates(texts, next)
  }
  return texts
}

function resolvedPart(part: WordPart, facts: Facts, isQuoted: boolean): Candidates {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value]
    case 'DoubleQuoted':
    case 'LocaleString':
      return resolvedParts(part.parts, facts, true)
    case 'SimpleExpansion':
      return splitFields(simpleCandidates(part.text, facts), facts, isQuoted)
    case 'ParameterExpansion':
      return splitFields(parameterCandidates(part, facts), facts, isQuoted)
    case 'CommandExpansion':
      return splitFields([outputOf(part.script) ?? ''], facts, isQuoted)
    case 'Glob':
      // `[m]` can only be that letter.
      return part.kind === 'bracket' && /^\[[^!^\]\\]\]$/.test(part.text)
        ? [part.text.slice(1, 2)]
        : undefined
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return undefined
  }
}

function splitFields(candidates: Candidates, facts: Facts, isQuoted: boolean): Candidates {
  if (isQuoted || candidates === undefined) return candidates
  const own = facts.variables.get('IFS')?.flat().join('') ?? ''
  return candidates.map((text) => splitting(text, ` \t\n${own}`))
}
