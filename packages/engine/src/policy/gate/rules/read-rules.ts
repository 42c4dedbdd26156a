/** Rule files: from text, files and folders to rules. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { assertKnownKeys, codeOf, given, messageOf, optionKeys } from '../../../base/index.ts'
import { makeHostExecutable, makePrefixRule, RuleFault, type Parts, type Place } from './make-rule.ts'
import { wrongExamples } from './match-prefix-rules.ts'
import { readCalls, type Call } from './starlark/read-calls.ts'
import { SourceFault } from './starlark/tokens.ts'
import { typeOf, type Value } from './starlark/values.ts'
import type { PolicyRule, RuleLayer, RuleSource } from './rule.ts'

export interface ReadOptions {
  /** As it is named in complaints and in the sources of the rules. */
  readonly file: string
  readonly layer: RuleLayer
  /** Rules that were read before: their `host_executable` count for the examples of this file. */
  readonly earlier?: readonly PolicyRule[]
  /** Absolute; from where relative programs in examples are resolved. Default: the working folder. */
  readonly folder?: string
  /** Absolute. Default: that of the user. */
  readonly home?: string
}

const readKeys = optionKeys<ReadOptions>()('file! layer! earlier folder home')

interface InvalidRules {
  readonly kind: 'invalid'
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column?: number
  readonly problem: string
}

export type ReadRules = { readonly kind: 'rules'; readonly rules: readonly PolicyRule[] } | InvalidRules

const maxLength = 500_000

/** All of the file or nothing of it: what is not understood is a problem, never left out. Never throws. */
export function readRules(text: string, options: ReadOptions): ReadRules {
  assertKnownKeys(options, readKeys, 'readRules')
  const { file, layer, earlier = [] } = options
  if (text.length > maxLength)
    return { kind: 'invalid', file, line: 1, problem: `longer than ${maxLength} characters` }
  let rules: readonly PolicyRule[]
  try {
    rules = readCalls(text, ruleFunctionNames).flatMap((call) => ruleOfCall(call, { layer, file }))
  } catch (error) {
    return invalid(file, error)
  }
  const place: Place = { folder: options.folder ?? process.cwd(), home: options.home ?? homedir() }
  const [wrong] = wrongExamples(rules, [...earlier, ...rules], place)
  if (wrong === undefined) return { kind: 'rules', rules }
  return { kind: 'invalid', file, line: wrong.rule.source.line ?? 1, problem: wrong.problem }
}

function invalid(file: string, error: unknown): InvalidRules {
  if (error instanceof SourceFault) {
    const { position, message } = error
    return { kind: 'invalid', file, line: position.line, column: position.column, problem: message }
  }
  const problem = messageOf(error)
  return { kind: 'invalid', file, line: 1, problem: `cannot be read: ${problem}` }
}

type Wanted = 'string' | 'list' | 'bool'

interface RuleFunction {
  /** In their order, each with the type of its value. */
  readonly parameters: Readonly<Record<string, Wanted>>
  readonly required: readonly string[]
  /** Null: nobody here asks for such a rule. */
  readonly make: ((parts: Parts, source: RuleSource) => PolicyRule) | null
}

const functions: Readonly<Record<string, RuleFunction>> = {
  prefix_rule: {
    parameters: {
      pattern: 'list',
      decision: 'string',
      match: 'list',
      not_match: 'list',
      justification: 'string',
      canonical_matching: 'bool',
    },
    required: ['pattern'],
    make: ({ not_match: notMatch, canonical_matching: isCanonical = false, ...parts }, source) => {
      if (isCanonical === true)
        throw new RuleFault("'canonical_matching = True' is not understood here: leave it out")
      return makePrefixRule({ ...parts, notMatch }, source)
    },
  },
  network_rule: {
    parameters: { host: 'string', protocol: 'string', decision: 'string', justification: 'string' },
    required: ['host', 'protocol', 'decision'],
    make: null,
  },
  host_executable: {
    parameters: { name: 'string', paths: 'list' },
    required: ['name', 'paths'],
    make: makeHostExecutable,
  },
}

const ruleFunctionNames: readonly string[] = Object.keys(functions)

/** @throws SourceFault */
function ruleOfCall(call: Call, source: Omit<RuleSource, 'line'>): readonly PolicyRule[] {
  const wanted = functions[call.name]
  if (wanted === undefined) throw new SourceFault(call, `'${call.name}' makes no rule`)
  const given = byParameter(call, Object.keys(wanted.parameters))
  for (const [name, value] of given) checkType(call, name, value, wanted.parameters[name])
  const missing = wanted.required.find((name) => !given.has(name))
  if (missing !== undefined) throw new SourceFault(call, `${call.name} wants '${missing}'`)
  try {
    return wanted.make === null
      ? []
      : [wanted.make(Object.fromEntries(given), { ...source, line: call.line })]
  } catch (error) {
    throw error instanceof RuleFault ? new SourceFault(call, error.message) : error
  }
}

/** Values without a name belong to the first parameters. */
function byParameter(call: Call, parameters: readonly string[]): ReadonlyMap<string, Value> {
  const { values, named } = call
  if (values.length > parameters.length)
    throw new SourceFault(call, `${values.length} arguments where ${parameters.length} are wanted at most`)
  const given = new Map(values.map((value, index) => [parameters[index] ?? '', value]))
  for (const [name, value] of named) {
    if (!parameters.includes(name)) throw new SourceFault(call, `no parameter is named '${name}'`)
    if (given.has(name)) throw new SourceFault(call, `'${name}' is given twice`)
    given.set(name, value)
  }
  return given
}

function checkType(call: Call, name: string, value: Value, wanted: Wanted | undefined): void {
  const type = typeOf(value)
  if (type !== wanted) throw new SourceFault(call, `${name} must be a ${wanted ?? 'value'}, not a ${type}`)
}

/** A folder with `*.rules` files, or one file, of whatever name. */
export interface RuleFileLocation {
  readonly layer: RuleLayer
  /** Absolute, or relative to the working folder. */
  readonly path: string
  /** It need not be there. Default false: then it is a problem. */
  readonly isOptional?: boolean
}

export interface RuleProblem {
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly problem: string
}

export type LoadedRules =
  | { readonly kind: 'rules'; readonly rules: readonly PolicyRule[]; readonly files: readonly string[] }
  /** All that is wrong, of all files. Whoever asked must not go on with less. */
  | { readonly kind: 'invalid'; readonly problems: readonly RuleProblem[] }

/** The places in the order of their precedence, lowest first. Never rejects. */
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
    const bytes = await readFile(file)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return readRules(text, { file, layer, earlier })
  } catch (error) {
    return { kind: 'unreadable' as const, file, problem: `cannot be read: ${messageOf(error)}` }
  }
}

/** In a folder: regular files named `*.rules`, by their names. Links to files count as what they lead to. */
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
