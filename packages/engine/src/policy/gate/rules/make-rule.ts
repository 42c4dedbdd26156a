/** Rules from parts that nobody has looked at yet: the one place where rule files, typed rules and configuration meet. */
import { posix } from 'node:path'
import { gateKinds } from '@donecheck/core/gate'
import { given } from '../../../base/index.ts'
import type { HostExecutable, PathRule, PatternToken, PrefixRule, RuleDecision, RuleSource } from './rule.ts'

/** A rule that is not one; the doors turn it into a value or into a `UsageError`. Never leaves this folder. */
export class RuleFault extends Error {
  override readonly name = 'RuleFault'
}

/** How a value is quoted in a complaint: short, on one line. */
export function quoteValue(value: unknown): string {
  const text = typeof value === 'function' || typeof value === 'symbol' ? typeof value : JSON.stringify(value)
  const known = (text as string | undefined) ?? 'undefined'
  return known.length > 80 ? `${known.slice(0, 79)}…` : known
}

/** Anything at all under the names that it may have. */
export type Parts = Readonly<Record<string, unknown>>

/** @throws RuleFault */
export function makePrefixRule(parts: Parts, source: RuleSource): PrefixRule {
  const justification = justificationOf(parts['justification'])
  const skipOptions = flagOf(parts['skipOptions'], 'skipOptions')
  const decision = parts['decision'] === undefined ? 'allow' : decisionFrom(parts['decision'])
  const overridesBuiltInRules = flagOf(parts['overridesBuiltInRules'], 'overridesBuiltInRules') === true
  if (overridesBuiltInRules && decision !== 'allow')
    throw new RuleFault(
      `overridesBuiltInRules is for rules that allow, not for one that says ${quoteValue(decision)}`,
    )
  return {
    kind: 'prefix',
    pattern: patternOf(parts['pattern']),
    decision,
    ...given({ justification }),
    source,
    match: examplesOf(parts['match'], 'match'),
    notMatch: examplesOf(parts['notMatch'], 'notMatch'),
    ...given({ skipOptions }),
    ...(overridesBuiltInRules ? { overridesBuiltInRules } : {}),
  }
}

/** @throws RuleFault */
export function makeHostExecutable(parts: Parts, source: RuleSource): HostExecutable {
  const { name, paths } = parts
  if (typeof name !== 'string') throw new RuleFault(`name must be a string, not ${quoteValue(name)}`)
  if (name === '' || name === '.' || name === '..' || name.includes('/'))
    throw new RuleFault(`name must be the bare name of a program, not ${quoteValue(name)}`)
  if (!Array.isArray(paths)) throw new RuleFault(`paths must be a list, not ${quoteValue(paths)}`)
  const absolute = paths.map((path: unknown) => executablePath(path, name))
  return { kind: 'host-executable', name, paths: [...new Set(absolute)], source }
}

function executablePath(path: unknown, name: string): string {
  if (typeof path !== 'string' || !posix.isAbsolute(path))
    throw new RuleFault(`paths must be absolute paths, not ${quoteValue(path)}`)
  const resolved = absolutePath(path, { folder: '/' })
  if (posix.basename(resolved) !== name)
    throw new RuleFault(`path ${quoteValue(path)} must end in the name ${quoteValue(name)}`)
  return resolved
}

/** @throws RuleFault */
export function makePathRule(parts: Parts, source: RuleSource): PathRule {
  const { paths } = parts
  if (!Array.isArray(paths) || paths.length === 0)
    throw new RuleFault(`paths must be a list of globs that is not empty, not ${quoteValue(paths)}`)
  const justification = justificationOf(parts['justification'])
  return {
    kind: 'path',
    paths: paths.map((path: unknown) => {
      if (typeof path !== 'string' || path === '')
        throw new RuleFault(`paths must be globs, not ${quoteValue(path)}`)
      return path
    }),
    decision: decisionFrom(parts['decision']),
    ...given({ justification }),
    source,
  }
}

function flagOf(value: unknown, name: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  throw new RuleFault(`${name} must be true or false, not ${quoteValue(value)}`)
}

export type Pattern = readonly [PatternToken, ...PatternToken[]]

/** Words, or lists of words that may stand in their place. @throws RuleFault */
function patternOf(value: unknown): Pattern {
  const name = 'pattern'
  if (!Array.isArray(value)) throw new RuleFault(`${name} must be a list, not ${quoteValue(value)}`)
  const [first, ...rest] = value.map((element: unknown) => tokenOf(element, name))
  if (first === undefined) throw new RuleFault(`${name} must not be empty`)
  return [first, ...rest]
}

function tokenOf(element: unknown, name: string): PatternToken {
  if (typeof element === 'string') return [element]
  if (!Array.isArray(element))
    throw new RuleFault(`${name} must have strings and lists of strings in it, not ${quoteValue(element)}`)
  const words = element.map((word: unknown) => {
    if (typeof word !== 'string')
      throw new RuleFault(`alternatives in ${name} must be strings, not ${quoteValue(word)}`)
    return word
  })
  const [first, ...rest] = words
  if (first === undefined) throw new RuleFault(`a list of alternatives in ${name} must not be empty`)
  return [first, ...rest]
}

/** @throws RuleFault */
function decisionFrom(value: unknown): RuleDecision {
  const known = gateKinds.find((decision) => decision === value)
  if (known === undefined)
    throw new RuleFault(`decision must be one of ${gateKinds.join(', ')}, not ${quoteValue(value)}`)
  return known
}

/** Undefined stays undefined. @throws RuleFault */
function justificationOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string')
    throw new RuleFault(`justification must be a string, not ${quoteValue(value)}`)
  if (value.trim() === '') throw new RuleFault('justification must not be blank')
  return value
}

/** Examples as words: each a line that is split as a shell would, or a list of words. @throws RuleFault */
function examplesOf(value: unknown, name: string): readonly (readonly string[])[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new RuleFault(`${name} must be a list, not ${quoteValue(value)}`)
  return value.map((example: unknown) => exampleOf(example, name))
}

function exampleOf(example: unknown, name: string): readonly string[] {
  if (typeof example === 'string') {
    const words = splitWords(example)
    if (words === undefined)
      throw new RuleFault(`example ${quoteValue(example)} in ${name} has an open quote or escape`)
    if (words.length === 0) throw new RuleFault(`example ${quoteValue(example)} in ${name} has no words`)
    return words
  }
  if (!Array.isArray(example))
    throw new RuleFault(`examples in ${name} must be strings or lists of strings, not ${quoteValue(example)}`)
  if (example.length === 0) throw new RuleFault(`an example in ${name} must not be empty`)
  return example.map((word: unknown) => {
    if (typeof word !== 'string')
      throw new RuleFault(`words of examples in ${name} must be strings, not ${quoteValue(word)}`)
    return word
  })
}

/** Blanks, a comment where a word could begin, or a word with all its quotes. */
const item = /[ \t\n]+|#[^\n]*|(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^'"\\ \t\n])+/gy
const quoted = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g

/** Undefined where a quote or an escape is not closed. `#` at the start of a word begins a comment. */
export function splitWords(text: string): readonly string[] | undefined {
  const items = text.match(item) ?? []
  if (items.join('').length < text.length) return undefined
  return items.filter((part) => !/^[ \t\n#]/.test(part)).map((word) => word.replace(quoted, withoutQuotes))
}

/** A backslash at a line end joins the lines; in double quotes it stands for itself before most characters. */
function withoutQuotes(_: string, single?: string, double?: string, escaped?: string): string {
  if (single !== undefined) return single
  if (double !== undefined) return double.replace(/\\([\n$`"\\])/g, (_whole, next: string) => joined(next))
  return joined(escaped ?? '')
}

function joined(character: string): string {
  return character === '\n' ? '' : character
}

/** From where a path is resolved. */
export interface Place {
  /** Absolute. */
  readonly folder: string
  /** Absolute; what `~` stands for. Default: `~` is a name like any other. */
  readonly home?: string
}

/** Absolute, without `.` and `..`. */
export function absolutePath(path: string, { folder, home }: Place): string {
  if (home !== undefined && (path === '~' || path.startsWith('~/')))
    return posix.resolve(home, path.slice(2).replace(/^\/+/, ''))
  return posix.resolve(folder, path)
}

/** Given as a path, not as a name that is looked up. */
export const isPath = (program: string): boolean => program.includes('/')
