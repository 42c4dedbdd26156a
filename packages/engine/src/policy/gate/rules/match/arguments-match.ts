/** Whether the arguments behind a prefix are as a rule wants them. */
import picomatch from 'picomatch'
import type { ArgumentPredicate } from '../rule.ts'

/** `--` ends the options; a `-` alone is an argument. */
export function argumentsMatch(
  where: ArgumentPredicate,
  rest: readonly string[],
  uncertainty: Uncertainty,
): boolean {
  const { hasOption, hasArgument, onlyOptions, onlyArguments } = where
  const { options, others } = splitOptions(rest)
  if (
    hasOption !== undefined &&
    !hasOption.some((option) => options.some((word) => isOption(word, option, uncertainty)))
  )
    return false
  if (hasArgument !== undefined && !others.some(matcherOf(hasArgument))) return false
  if (onlyOptions === undefined && onlyArguments === undefined) return true
  const isKnownArgument = onlyArguments === undefined ? () => false : matcherOf(onlyArguments)
  return (
    options.every((word) => (onlyOptions ?? []).length > 0 && isOnly(word, onlyOptions ?? [])) &&
    others.every((word) => isKnownArgument(word))
  )
}

function splitOptions(rest: readonly string[]): {
  readonly options: readonly string[]
  readonly others: readonly string[]
} {
  const end = rest.indexOf('--')
  const before = end === -1 ? rest : rest.slice(0, end)
  const behind = end === -1 ? [] : rest.slice(end + 1)
  const looksLikeOption = (word: string) => word.startsWith('-') && word !== '-'
  return {
    options: before.filter(looksLikeOption),
    others: [...before.filter((word) => !looksLikeOption(word)), ...behind],
  }
}

/**
 * In doubt a match: an abbreviation of a long option, and a letter anywhere in a group of short ones. In doubt none: only the
 * first letter of a group is surely an option, the others may be its value.
 */
function isOption(word: string, option: string, uncertainty: Uncertainty): boolean {
  if (word === option || word.startsWith(`${option}=`)) return true
  if (option.startsWith('--')) {
    const [name = ''] = word.split('=', 1)
    return uncertainty === 'match' && name.length > 2 && option.startsWith(name)
  }
  if (option.length !== 2 || word.startsWith('--')) return false
  const letter = option.charAt(1)
  return uncertainty === 'match' ? word.includes(letter, 1) : word.charAt(1) === letter
}

/** One of them, one of them with `=` and a value, or a group of short ones of which each is one of them. */
function isOnly(word: string, options: readonly string[]): boolean {
  if (options.some((option) => word === option || (option.startsWith('--') && word.startsWith(`${option}=`))))
    return true
  return !word.startsWith('--') && Array.from(word.slice(1)).every((letter) => options.includes(`-${letter}`))
}

const matchers = new Map<string, (text: string) => boolean>()

/** `*` stops at `/`, `**` does not. */
function matcherOf(glob: string): (text: string) => boolean {
  const known = matchers.get(glob)
  if (known !== undefined) return known
  const matcher = picomatch(glob, { dot: true, nonegate: true })
  const matches = (text: string) => matcher(text)
  if (matchers.size < 1000) matchers.set(glob, matches)
  return matches
}

/** What holds where a rule cannot tell whether it matches. */

/**
 * In doubt a match: right for what is stopped, and for what takes a permission away. In doubt none: right for what is let
 * through, and for what takes a prohibition away.
 */
export type Uncertainty = 'match' | 'no-match'
