/** Rule files of folders and by name, in the order of their layers. */
import { codeOf, given, messageOf } from '../../../base/index.ts'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readRules } from './read-rules.ts'
import type { PolicyRule, RuleLayer } from './rule.ts'

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
