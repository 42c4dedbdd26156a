/** Makes and validates rules from files, programs and configuration. */
import { homedir } from 'node:os'
import { posix } from 'node:path'
import { gateKinds } from '@donecheck/core/internal/events/gate'
import { given, suggestKey, UsageError } from '../../../base/index.ts'
import { wrongExamples } from './match-prefix-rules.ts'
import {
  type HostExecutable,
  type PathRule,
  type PatternToken,
  type PolicyRule,
  type PrefixRule,
  type RuleDecision,
  RuleFault,
  type RuleSource,
} from './rule.ts'

export function quoteValue(value: unknown): string {
  const text = typeof value === 'function' || typeof value === 'symbol' ? typeof value : JSON.stringify(value)
  const known = (text as string | undefined) ?? 'undefined'
  return known.length > 80 ? `${known.slice(0, 79)}…` : known
}

type Parts = Readonly<Record<string, unknown>>
type Maker<Rule extends PolicyRule> = (parts: Parts, source: RuleSource) => Rule

export const makePrefixRule: Maker<PrefixRule> = (parts, source) => {
  const { pattern, decision, justification, match = [], notMatch = [], overridesBuiltInRules = false } = parts
  const isAllow = decision === undefined || decision === 'allow'
  if (typeof overridesBuiltInRules !== 'boolean' || (overridesBuiltInRules && !isAllow))
    throw new RuleFault('overridesBuiltInRules must be true or false, and only an allow rule can have it')
  return {
    kind: 'prefix',
    pattern: filled(listOf(pattern, 'pattern', tokenOf), 'pattern'),
    decision: isAllow ? 'allow' : decisionOf(decision),
    ...given({ justification: justificationOf(justification) }),
    source,
    match: listOf(match, 'match', exampleOf),
    notMatch: listOf(notMatch, 'notMatch', exampleOf),
    ...(overridesBuiltInRules ? { overridesBuiltInRules } : {}),
  }
}

export const makeHostExecutable: Maker<HostExecutable> = ({ name, paths }, source) => {
  const program = textOf(name, 'name')
  if (program === '' || program === '.' || program === '..' || program.includes('/'))
    throw new RuleFault(`name must be the bare name of a program, not ${quoteValue(name)}`)
  const resolved = listOf(paths, 'paths', textOf).map((path) => {
    if (!posix.isAbsolute(path)) throw new RuleFault(`paths must be absolute paths, not ${quoteValue(path)}`)
    const absolute = posix.resolve(path)
    if (posix.basename(absolute) === program) return absolute
    throw new RuleFault(`path ${quoteValue(path)} must end in the name ${quoteValue(program)}`)
  })
  return { kind: 'host-executable', name: program, paths: [...new Set(resolved)], source }
}

const makePathRule: Maker<PathRule> = ({ paths, decision, justification }, source) => ({
  kind: 'path',
  paths: filled(listOf(paths, 'paths', textOf), 'paths'),
  decision: decisionOf(decision),
  ...given({ justification: justificationOf(justification) }),
  source,
})

function listOf<Item>(
  value: unknown,
  name: string,
  item: (value: unknown, name: string) => Item,
): readonly Item[] {
  if (!Array.isArray(value)) throw new RuleFault(`${name} must be a list, not ${quoteValue(value)}`)
  return value.map((element: unknown) => item(element, name))
}

function filled<Item>([first, ...rest]: readonly Item[], name: string): readonly [Item, ...Item[]] {
  if (first === undefined) throw new RuleFault(`${name} must not be empty`)
  return [first, ...rest]
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw new RuleFault(`${name} must be strings, not ${quoteValue(value)}`)
}

function tokenOf(element: unknown, name: string): PatternToken {
  if (typeof element === 'string') return [element]
  if (!Array.isArray(element))
    throw new RuleFault(`${name} must hold strings and lists of strings, not ${quoteValue(element)}`)
  return filled(listOf(element, `alternatives in ${name}`, textOf), `alternatives in ${name}`)
}

function exampleOf(example: unknown, name: string): readonly string[] {
  const isLine = typeof example === 'string'
  const words = isLine ? splitWords(example) : listOf(example, `an example in ${name}`, textOf)
  if (words === undefined)
    throw new RuleFault(`example ${quoteValue(example)} in ${name} has an open quote or escape`)
  return filled(words, `the example ${quoteValue(example)} in ${name}`)
}

function decisionOf(value: unknown): RuleDecision {
  const known = gateKinds.find((decision) => decision === value)
  if (known !== undefined) return known
  throw new RuleFault(`decision must be one of ${gateKinds.join(', ')}, not ${quoteValue(value)}`)
}

function justificationOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (textOf(value, 'justification').trim() === '') throw new RuleFault('justification must not be blank')
  return textOf(value, 'justification')
}

/** Blanks, a comment at the start of a word, or a word with its quotes. */
const item = /[ \t\n]+|#[^\n]*|(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^'"\\ \t\n])+/gy
const quoted = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g

/** Undefined for an open quote or escape. `#` at the start of a word begins a comment. */
export function splitWords(text: string): readonly string[] | undefined {
  const items = text.match(item) ?? []
  if (items.join('').length < text.length) return undefined
  return items.filter((part) => !/^[ \t\n#]/.test(part)).map((word) => word.replace(quoted, withoutQuotes))
}

/** Joins lines at a backslash, which is literal before most characters in double quotes. */
function withoutQuotes(_: string, single?: string, double?: string, escaped?: string): string {
  if (single !== undefined) return single
  if (double !== undefined) return double.replace(/\\([\n$`"\\])/g, (_whole, next: string) => joined(next))
  return joined(escaped ?? '')
}

function joined(character: string): string {
  return character === '\n' ? '' : character
}

export interface PrefixRuleInput {
  /** Words, or lists of alternatives. */
  readonly pattern: readonly (string | readonly string[])[]
  /** Default: `allow`. */
  readonly decision?: RuleDecision
  readonly justification?: string
  /** Examples that must match: command lines or words. */
  readonly match?: readonly (string | readonly string[])[]
  readonly notMatch?: readonly (string | readonly string[])[]
  /** Exempts what it allows from the built-in rules. */
  readonly overridesBuiltInRules?: boolean
}

type HostExecutableInput = Pick<HostExecutable, 'name' | 'paths'>
type PathRuleInput = Pick<PathRule, 'paths' | 'decision' | 'justification'>

interface Shape<Rule extends PolicyRule> {
  readonly keys: readonly string[]
  readonly make: Maker<Rule>
}

const prefixShape: Shape<PrefixRule> = {
  keys: ['pattern', 'decision', 'justification', 'match', 'notMatch', 'overridesBuiltInRules'],
  make: makePrefixRule,
}
const hostShape: Shape<HostExecutable> = { keys: ['name', 'paths'], make: makeHostExecutable }
const pathShape: Shape<PathRule> = { keys: ['paths', 'decision', 'justification'], make: makePathRule }

const fromProgram: RuleSource = { layer: 'run' }

/** Matches commands by prefix; runs its examples at once. @throws {UsageError} naming the value */
export function prefixRule(input: PrefixRuleInput, source: RuleSource = fromProgram): PrefixRule {
  return typedRule('prefixRule', prefixShape, input, source)
}

/** Allowed paths of a program. @throws {UsageError} naming the value */
export function hostExecutable(input: HostExecutableInput, source: RuleSource = fromProgram): HostExecutable {
  return typedRule('hostExecutable', hostShape, input, source)
}

/** Matches written files. @throws {UsageError} naming the value */
export function pathRule(input: PathRuleInput, source: RuleSource = fromProgram): PathRule {
  return typedRule('pathRule', pathShape, input, source)
}

function typedRule<Rule extends PolicyRule>(
  name: string,
  shape: Shape<Rule>,
  input: unknown,
  source: RuleSource,
): Rule {
  try {
    const rule = fromShape(shape, input, source)
    const [wrong] = wrongExamples([rule], [], here())
    if (wrong !== undefined) throw new RuleFault(wrong.problem)
    return rule
  } catch (error) {
    throw error instanceof RuleFault ? new UsageError(`${name}: ${error.message}`, { cause: error }) : error
  }
}

function fromShape<Rule extends PolicyRule>(
  { keys, make }: Shape<Rule>,
  input: unknown,
  source: RuleSource,
): Rule {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new RuleFault(`a rule must be an object, not ${quoteValue(input)}`)
  const unknown = Object.keys(input).find((key) => !keys.includes(key))
  if (unknown !== undefined) throw new RuleFault(`it has no key "${unknown}"; ${suggestKey(unknown, keys)}`)
  return make({ ...input }, source)
}

function here() {
  return { folder: process.cwd(), home: homedir() }
}

type ParsedRules =
  | { readonly kind: 'rules'; readonly rules: readonly PolicyRule[] }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** Returns all rules, or all problems. Never throws. */
export function parseRules(json: unknown, source: RuleSource): ParsedRules {
  if (!Array.isArray(json))
    return { kind: 'invalid', problems: [`rules must be a list, not ${quoteValue(json)}`] }
  const rules: PolicyRule[] = []
  const problems: string[] = []
  for (const [index, element] of json.entries()) {
    try {
      rules.push(anyRule(element, source))
    } catch (error) {
      problems.push(`rules[${index}]: ${error instanceof RuleFault ? error.message : String(error)}`)
    }
  }
  const wrong = wrongExamples(rules, rules, here())
  problems.push(...wrong.map(({ rule, problem }) => `rule ${quoteValue(rule.pattern)}: ${problem}`))
  return problems.length === 0 ? { kind: 'rules', rules } : { kind: 'invalid', problems }
}

function anyRule(element: unknown, source: RuleSource): PolicyRule {
  const has = (key: string) => typeof element === 'object' && element !== null && Object.hasOwn(element, key)
  if (has('pattern')) return fromShape(prefixShape, element, source)
  return has('name') ? fromShape(hostShape, element, source) : fromShape(pathShape, element, source)
}
