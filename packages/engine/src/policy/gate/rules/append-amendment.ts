/** Keeps a rule: at the end of a rule file, once. */
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { codeOf, messageOf, StoreError, UsageError } from '../../../base/index.ts'
import { makePrefixRule, quoteValue } from './make-rule.ts'
import { readRules } from './read-rules.ts'
import type { PolicyRule, RuleDecision } from './rule.ts'
import { makeRule } from './typed-rules.ts'

/** A rule that is kept in a file. */
export interface AmendmentRule {
  readonly prefix: readonly string[]
  readonly decision: RuleDecision
}

/** `present`: a rule of the file says it already. */
type Appended = 'added' | 'present'

/**
 * The file and its folders come into being where they are missing, for nobody else to read. The line is written at once at the
 * end of the file, so that of many processes no rule is lost.
 * @throws {UsageError} for what no rule can be
 * @throws {StoreError} where the file has mistakes in it or cannot be written
 */
export async function appendAmendment(file: string, rule: AmendmentRule): Promise<Appended> {
  const line = ruleLine(rule)
  try {
    await mkdir(dirname(resolve(file)), { recursive: true, mode: 0o700 })
    const text = await currentText(file)
    const read = readRules(text, { file, layer: 'user' })
    if (read.kind === 'invalid')
      throw new StoreError(file, `line ${read.line} must be mended first: ${read.problem}`)
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

async function currentText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

/** Without a line end. @throws UsageError for what no rule can be */
export function ruleLine({ prefix, decision }: AmendmentRule): string {
  const broken = prefix.find((text) => !text.isWellFormed())
  if (broken !== undefined)
    throw new UsageError(`${quoteValue(broken)} is no text and cannot be kept in a rule file`)
  makeRule('prefix rule', { pattern: prefix, decision }, (parts) => makePrefixRule(parts, { layer: 'user' }))
  return `prefix_rule(pattern=[${prefix.map(literal).join(', ')}], decision="${decision}")`
}

/** Whether a rule that stands in the file already says the same. */
function says(known: PolicyRule, { prefix, decision }: AmendmentRule): boolean {
  if (known.kind !== 'prefix' || known.decision !== decision) return false
  return (
    known.pattern.length === prefix.length &&
    known.pattern.every((token, index) => token.includes(prefix[index] ?? ''))
  )
}

/** Quoted as JSON, which the language of rule files reads the same; other languages' line ends are written as escapes. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (char) => {
    const code = char.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
