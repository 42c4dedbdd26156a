import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  assertKnownKeys,
  codeOf,
  given,
  messageOf,
  optionKeys,
  StoreError,
  UsageError,
} from '../../../base/index.ts'
import { makeHostExecutable, makePrefixRule, prefixRule, quoteValue } from './make-rule.ts'
import { wrongExamples } from './match-prefix-rules.ts'
import { type PolicyRule, type RuleDecision, RuleFault, type RuleLayer, type RuleSource } from './rule.ts'
import { readCalls, type Call } from './starlark/read-calls.ts'
import type { Value } from './starlark/values.ts'

export interface ReadOptions {
  /** Name in messages and rule sources. */
  readonly file: string
  readonly layer: RuleLayer
  /** Their `host_executable` apply to the examples of this file. */
  readonly earlier?: readonly PolicyRule[]
  /** Absolute; resolves programs of examples. Default: the working folder. */
  readonly folder?: string
  readonly home?: string
}

const readKeys = optionKeys<ReadOptions>()('file! layer! earlier folder home')

export interface RuleProblem {
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly problem: string
}

export type ReadRules =
  | { readonly kind: 'rules'; readonly rules: readonly PolicyRule[] }
  | ({ readonly kind: 'invalid'; readonly line: number } & RuleProblem)

const maxLength = 500_000

/** All rules of the file, or the first problem. Never throws. */
export function readRules(text: string, options: ReadOptions): ReadRules {
  assertKnownKeys(options, readKeys, 'readRules')
  const { file, layer, earlier = [], folder = process.cwd(), home = homedir() } = options
  try {
    if (text.length > maxLength) throw new RuleFault(`longer than ${maxLength} characters`)
    const rules = readCalls(text, Object.keys(functions)).flatMap((call) => ruleOfCall(call, { layer, file }))
    const [wrong] = wrongExamples(rules, [...earlier, ...rules], { folder, home })
    if (wrong === undefined) return { kind: 'rules', rules }
    return { kind: 'invalid', file, line: wrong.rule.source.line ?? 1, problem: wrong.problem }
  } catch (error) {
    if (error instanceof RuleFault) {
      const { position, message } = error
      const column = position?.column
      return { kind: 'invalid', file, line: position?.line ?? 1, ...given({ column }), problem: message }
    }
    return { kind: 'invalid', file, line: 1, problem: `cannot be read: ${messageOf(error)}` }
  }
}

interface RuleFunction {
  readonly parameters: readonly string[]
  readonly required: readonly string[]
  readonly make: (parts: Readonly<Record<string, Value>>, source: RuleSource) => readonly PolicyRule[]
}

const functions: Readonly<Record<string, RuleFunction>> = {
  prefix_rule: {
    parameters: ['pattern', 'decision', 'match', 'not_match', 'justification', 'canonical_matching'],
    required: ['pattern'],
    make: ({ not_match: notMatch, canonical_matching: isCanonical = false, ...parts }, source) => {
      if (isCanonical !== false)
        throw new RuleFault("'canonical_matching = True' is not understood here: leave it out")
      return [makePrefixRule({ ...parts, notMatch }, source)]
    },
  },
  // The gate does not use network rules.
  network_rule: {
    parameters: ['host', 'protocol', 'decision', 'justification'],
    required: ['host', 'protocol', 'decision'],
    make: (parts) => {
      const wrong = Object.entries(parts).find(([, value]) => typeof value !== 'string')
      if (wrong === undefined) return []
      throw new RuleFault(`${wrong[0]} must be a string, not ${quoteValue(wrong[1])}`)
    },
  },
  host_executable: {
    parameters: ['name', 'paths'],
    required: ['name', 'paths'],
    make: (parts, source) => [makeHostExecutable(parts, source)],
  },
}

/** @throws {RuleFault} */
function ruleOfCall(call: Call, source: RuleSource): readonly PolicyRule[] {
  const { line, column, values, named } = call
  try {
    const wanted = functions[call.name]
    if (wanted === undefined) throw new RuleFault(`'${call.name}' makes no rule`)
    const { parameters, required, make } = wanted
    if (values.length > parameters.length)
      throw new RuleFault(`${values.length} arguments where ${parameters.length} are wanted at most`)
    const parts = new Map(values.map((value, index) => [parameters[index] ?? '', value]))
    for (const [name, value] of named) {
      if (!parameters.includes(name)) throw new RuleFault(`no parameter is named '${name}'`)
      if (parts.has(name)) throw new RuleFault(`'${name}' is given twice`)
      parts.set(name, value)
    }
    const missing = required.find((name) => !parts.has(name))
    if (missing !== undefined) throw new RuleFault(`${call.name} wants '${missing}'`)
    return make(Object.fromEntries(parts), { ...source, line })
  } catch (error) {
    throw error instanceof RuleFault ? new RuleFault(error.message, { line, column }) : error
  }
}

/** A folder with `*.rules` files, or a file of any name. */
export interface RuleFileLocation {
  readonly layer: RuleLayer
  /** Absolute, or relative to the working folder. */
  readonly path: string
  /** Whether it may be missing. Default: false. */
  readonly isOptional?: boolean
}

export type LoadedRules =
  | { readonly kind: 'rules'; readonly rules: readonly PolicyRule[]; readonly files: readonly string[] }
  /** Problems of all files; the caller must not continue with partial rules. */
  | { readonly kind: 'invalid'; readonly problems: readonly RuleProblem[] }

/** Lowest precedence first. Never rejects. */
export async function loadRules(places: readonly RuleFileLocation[]): Promise<LoadedRules> {
  const rules: PolicyRule[] = []
  const files: string[] = []
  const problems: RuleProblem[] = []
  for (const place of places) {
    const found = await listRuleFiles(place)
    problems.push(...found.problems)
    for (const file of found.files) {
      const read = await readOne(file, place.layer, rules)
      if (read.kind === 'rules') rules.push(...read.rules)
      else problems.push(problemOf(read))
      files.push(file)
    }
  }
  return problems.length === 0 ? { kind: 'rules', rules, files } : { kind: 'invalid', problems }
}

function problemOf({ file, line, column, problem }: RuleProblem): RuleProblem {
  return { file, problem, ...given({ line, column }) }
}

const maxBytes = 4_000_000

async function readOne(file: string, layer: RuleLayer, earlier: readonly PolicyRule[]) {
  try {
    const found = await stat(file)
    if (!found.isFile()) throw new Error('it is no regular file')
    if (found.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    return readRules(await textOf(file), { file, layer, earlier })
  } catch (error) {
    return { kind: 'unreadable' as const, file, problem: `cannot be read: ${messageOf(error)}` }
  }
}

/** @throws for invalid UTF-8 */
async function textOf(file: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
}

/** Regular files named `*.rules`, sorted; follows links. */
async function listRuleFiles({ path, isOptional = false }: RuleFileLocation): Promise<{
  readonly files: readonly string[]
  readonly problems: readonly RuleProblem[]
}> {
  try {
    if (!(await stat(path)).isDirectory()) return { files: [path], problems: [] }
    const names = (await readdir(path)).filter((name) => name.endsWith('.rules')).sort()
    const files: string[] = []
    for (const name of names) if ((await stat(join(path, name))).isFile()) files.push(join(path, name))
    return { files, problems: [] }
  } catch (error) {
    if (isOptional && codeOf(error) === 'ENOENT') return { files: [], problems: [] }
    return { files: [], problems: [{ file: path, problem: `cannot be read: ${messageOf(error)}` }] }
  }
}

export interface AmendmentRule {
  readonly prefix: readonly string[]
  readonly decision: RuleDecision
}

/** `present`: the file contains an equal rule. */
type Appended = 'added' | 'present'

/**
 * Appends a line atomically to the file, which is created private. @throws {UsageError} for an invalid rule
 * @throws {StoreError} for an invalid or unwritable file
 */
export async function appendAmendment(file: string, rule: AmendmentRule): Promise<Appended> {
  const line = ruleLine(rule)
  try {
    await mkdir(dirname(resolve(file)), { recursive: true, mode: 0o700 })
    const text = await textOf(file).catch(emptyIfMissing)
    const read = readRules(text, { file, layer: 'user' })
    if (read.kind === 'invalid')
      throw new StoreError(file, `line ${read.line} must be corrected first: ${read.problem}`)
    if (read.rules.some((known) => says(known, rule))) return 'present'
    const handle = await open(file, 'a', 0o600)
    try {
      await handle.write(`${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    return 'added'
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new StoreError(file, messageOf(error), { cause: error })
  }
}

function emptyIfMissing(error: unknown): string {
  if (codeOf(error) === 'ENOENT') return ''
  throw error
}

/** Without a line end. @throws {UsageError} for an invalid rule */
export function ruleLine({ prefix, decision }: AmendmentRule): string {
  const broken = prefix.find((text) => !text.isWellFormed())
  if (broken !== undefined)
    throw new UsageError(`${quoteValue(broken)} is no text and cannot be kept in a rule file`)
  prefixRule({ pattern: prefix, decision })
  return `prefix_rule(pattern=[${prefix.map(literal).join(', ')}], decision="${decision}")`
}

function says(known: PolicyRule, { prefix, decision }: AmendmentRule): boolean {
  if (known.kind !== 'prefix' || known.decision !== decision) return false
  return (
    known.pattern.length === prefix.length &&
    known.pattern.every((token, index) => token.includes(prefix[index] ?? ''))
  )
}

/** JSON quoting, which rule files share; Unicode line ends are escaped. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (char) => {
    const code = char.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
