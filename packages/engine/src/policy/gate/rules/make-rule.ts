/** Makes and validates rules from files, programs and configuration: one schema for each kind. */
import { homedir } from 'node:os'
import { posix } from 'node:path'
import { gateKinds } from '@donecheck/core/internal/events/gate'
import { z } from 'zod'
import { explainIssue, given, UsageError } from '../../../base/index.ts'
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

const word = z.string()
const words = z.array(word).min(1, 'must not be empty')
const decision = z.enum(gateKinds)
const justification = z.string().regex(/\S/u, 'must not be blank').optional()

const token = z
  .union([word, z.tuple([word], word)])
  .transform((one): PatternToken => (typeof one === 'string' ? [one] : one))

const line = z.string().transform((text, context) => {
  const split = splitWords(text) ?? []
  if (split.length === 0) context.addIssue('must have words, and no open quote or escape')
  return split
})

const prefixShape = z
  .strictObject({
    pattern: z.tuple([token], token),
    decision: decision.default('allow'),
    justification,
    match: z.array(z.union([words, line])).default([]),
    notMatch: z.array(z.union([words, line])).default([]),
    overridesBuiltInRules: z.boolean().default(false),
  })
  .refine((rule) => rule.decision === 'allow' || !rule.overridesBuiltInRules, {
    error: 'is no allow rule, and only one of these can have overridesBuiltInRules',
  })

const bareName = z
  .string()
  .refine((name) => !/^\.{0,2}$|\//u.test(name), 'must be the bare name of a program')
const hostShape = z.strictObject({
  name: bareName,
  paths: z.array(z.string().refine((path) => posix.isAbsolute(path), 'must be an absolute path')),
})

const pathShape = z.strictObject({ paths: words, decision, justification })

export function makePrefixRule(input: unknown, source: RuleSource): PrefixRule {
  const { justification: why, overridesBuiltInRules, ...rule } = parsed(prefixShape, input)
  return {
    kind: 'prefix',
    ...rule,
    ...given({ justification: why }),
    source,
    ...(overridesBuiltInRules ? { overridesBuiltInRules } : {}),
  }
}

export function makeHostExecutable(input: unknown, source: RuleSource): HostExecutable {
  const { name, paths } = parsed(hostShape, input)
  const resolved = paths.map((path) => posix.resolve(path))
  const wrong = resolved.find((path) => posix.basename(path) !== name)
  if (wrong !== undefined)
    throw new RuleFault(`path ${quoteValue(wrong)} must end in the name ${quoteValue(name)}`)
  return { kind: 'host-executable', name, paths: [...new Set(resolved)], source }
}

function makePathRule(input: unknown, source: RuleSource): PathRule {
  const { justification: why, ...rule } = parsed(pathShape, input)
  return { kind: 'path', ...rule, ...given({ justification: why }), source }
}

/** @throws {RuleFault} for the first problem */
function parsed<Shape>(shape: z.ZodType<Shape>, input: unknown): Shape {
  const { data, error } = shape.safeParse(input)
  const { issues = [] } = error ?? {}
  // An unknown key says more than a missing one.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (data !== undefined && issue === undefined) return data
  throw new RuleFault(issue === undefined ? 'cannot be read' : explainIssue(issue, input, shape))
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

type Maker<Rule extends PolicyRule> = (input: unknown, source: RuleSource) => Rule

const fromProgram: RuleSource = { layer: 'run' }

/** Matches commands by prefix; runs its examples at once. @throws {UsageError} naming the value */
export function prefixRule(input: PrefixRuleInput, source: RuleSource = fromProgram): PrefixRule {
  return typedRule('prefixRule', makePrefixRule, input, source)
}

/** Allowed paths of a program. @throws {UsageError} naming the value */
export function hostExecutable(input: HostExecutableInput, source: RuleSource = fromProgram): HostExecutable {
  return typedRule('hostExecutable', makeHostExecutable, input, source)
}

/** Matches written files. @throws {UsageError} naming the value */
export function pathRule(input: PathRuleInput, source: RuleSource = fromProgram): PathRule {
  return typedRule('pathRule', makePathRule, input, source)
}

function typedRule<Rule extends PolicyRule>(
  name: string,
  make: Maker<Rule>,
  input: unknown,
  source: RuleSource,
): Rule {
  try {
    const rule = make(input, source)
    const [wrong] = wrongExamples([rule], [], here())
    if (wrong !== undefined) throw new RuleFault(wrong.problem)
    return rule
  } catch (error) {
    throw error instanceof RuleFault ? new UsageError(`${name}: ${error.message}`, { cause: error }) : error
  }
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
  if (has('pattern')) return makePrefixRule(element, source)
  return has('name') ? makeHostExecutable(element, source) : makePathRule(element, source)
}
