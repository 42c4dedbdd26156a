/** Keeps a rule: at the end of a rule file, once. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, StoreError, messageOf } from '../../../../base/index.ts'
import { diskOperations } from '../../../../system/files/index.ts'
import { readRules } from '../read-rules.ts'
import { withFileLock } from './file-lock.ts'
import { ruleLine, says, type AmendmentRule } from './rule-line.ts'

/** `present`: a rule of the file says it already. */
export type Appended = 'added' | 'present'

/**
 * The file and its folders come into being where they are missing, for nobody else to read. A reader sees the old file or the
 * new one, also after a crash, and of many processes at once no rule is lost.
 * @throws UsageError for what no rule can be
 * @throws StoreError where the file has mistakes in it or cannot be written
 */
export async function appendAmendment(file: string, rule: AmendmentRule): Promise<Appended> {
  const line = ruleLine(rule)
  try {
    await mkdir(dirname(resolve(file)), { recursive: true, mode: 0o700 })
    const target = await realFile(file)
    return await withFileLock(target, () => append(target, line, rule))
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new StoreError(file, messageOf(error), { cause: error })
  }
}

async function append(file: string, line: string, rule: AmendmentRule): Promise<Appended> {
  const { text, mode } = await current(file)
  const read = readRules(text, { file, layer: 'user' })
  if (read.kind === 'invalid')
    throw new StoreError(file, `line ${read.line} must be mended first: ${read.problem}`)
  if (read.rules.some((known) => says(known, rule))) return 'present'
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  await replaceFile(file, `${text}${separator}${line}\n`, mode)
  return 'added'
}

async function current(file: string): Promise<{ readonly text: string; readonly mode: number }> {
  try {
    const { mode } = await stat(file)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
    return { text, mode: mode & 0o777 }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { text: '', mode: 0o600 }
    throw error
  }
}

/** What a link leads to; where nothing is yet, the file itself in its real folder. */
async function realFile(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    return join(await realpath(dirname(resolve(file))), basename(file))
  }
}

async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.${randomUUID()}.new`
  try {
    await diskOperations.writeNew(temporary, { bytes: new TextEncoder().encode(text), mode })
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
  // Not every system can: then the name is as durable as the system makes it.
  await diskOperations.syncFolder(dirname(file)).catch(() => undefined)
}
