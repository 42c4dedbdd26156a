import { createHash } from 'node:crypto'
import { constants, realpathSync } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError, assertKnownKeys, optionKeys } from '../../base/index.ts'
import type { Human, HumanAnswer, HumanQuestion } from '../../ports/checks.ts'
import { visibleLine, visibleText } from './visible.ts'

export interface HumanFileOptions {
  /** Where questions are put and answers are found. Made when it is missing. */
  readonly folder: string
  /** What the drive works in; null: it works in none. */
  readonly workFolder: string | null
  /** How often an answer is looked for while the question waits. Default 1 000. */
  readonly intervalMs?: number
}

const humanFileKeys = optionKeys<HumanFileOptions>()('folder! workFolder! intervalMs')

const maxAnswerBytes = 64 * 1024

/**
 * Asks through files, so that the answer may come hours later, from another program, and outlives the run: the question
 * stands in `<check>.question.md`, the answer in `<check>.answer`. Only an answer that names the question's id counts: the
 * id changes with the run, the question and what it is about.
 *
 * Whoever may write into the folder may answer: it must lie outside of the work folder, and a drive that may write anywhere
 * must be kept from it by its sandbox.
 * @throws {UsageError} where the folder lies in the work folder, also when that is found out later
 */
export function fileHuman(options: HumanFileOptions): Human {
  assertKnownKeys(options, humanFileKeys, 'fileHuman')
  const { intervalMs = 1000 } = options
  if (!(intervalMs >= 1 && intervalMs < 2 ** 31))
    throw new UsageError(`intervalMs is ${intervalMs}; give the milliseconds between two looks, 1 or more`)
  const folder = resolve(options.folder)
  refuseInside(folder, options.workFolder)
  return {
    async ask(question, signal) {
      const places = placesFor(folder, question)
      for (let isAsked = false; ; isAsked = true) {
        refuseInside(folder, options.workFolder)
        if (!isAsked) await writeQuestion(places, question)
        const answer = await look(places)
        if (answer.kind !== 'unanswered' || signal.aborted) return answer
        await pause(intervalMs, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}

interface Places {
  readonly id: string
  readonly questionFile: string
  readonly answerFile: string
}

function placesFor(folder: string, question: HumanQuestion): Places {
  const { runId, check, question: words, details } = question
  const id = digestOf(JSON.stringify([runId, check, words, details])).slice(0, 16)
  const name = join(folder, fileNameOf(check))
  return { id, questionFile: `${name}.question.md`, answerFile: `${name}.answer` }
}

/** A name that had to be changed is told apart by its digest. */
function fileNameOf(check: string): string {
  const plain = check
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/gu, '')
    .slice(0, 60)
  return plain === check && plain !== '' ? plain : `${plain || 'check'}-${digestOf(check).slice(0, 8)}`
}

/** All of it or nothing, and not again when it stands there already. */
async function writeQuestion(
  { id, questionFile, answerFile }: Places,
  question: HumanQuestion,
): Promise<void> {
  const text = questionText(question, id, basename(answerFile))
  if ((await readFile(questionFile, 'utf8').catch(() => undefined)) === text) return
  await mkdir(dirname(questionFile), { recursive: true, mode: 0o700 })
  const draft = `${questionFile}.${process.pid}.draft`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, questionFile)
}

async function look({ id, answerFile }: Places): Promise<HumanAnswer> {
  const text = await readText(answerFile)
  if (text === undefined) return { kind: 'unanswered', waitingFor: `an answer in ${answerFile}` }
  return answerIn(text, id, answerFile)
}

/** Undefined: there is no such file, or it is no plain file of a sensible size. */
async function readText(file: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file, flags).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const stats = await handle.stat()
    return stats.isFile() && stats.size <= maxAnswerBytes ? await handle.readFile('utf8') : undefined
  } finally {
    await handle.close()
  }
}

function refuseInside(folder: string, workFolder: string | null): void {
  if (workFolder === null) return
  const way = relative(resolveRealPath(resolve(workFolder)), resolveRealPath(folder))
  const isInside = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  if (isInside)
    throw new UsageError(
      `the folder for answers, ${folder}, lies in the work folder, where the drive could answer; give one outside of it`,
    )
}

/** Symlinks resolved, as far as the path is there. */
function resolveRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path === dirname(path) ? path : join(resolveRealPath(dirname(path)), basename(path))
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The details are quoted, line by line: nothing that the drive wrote into them can pose as the rest of the file. */
export function questionText(
  { check, question, details }: HumanQuestion,
  id: string,
  answerName: string,
): string {
  const quotedDetails = visibleText(details)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
  return [
    `# ${visibleLine(question)}`,
    '',
    `Check: ${visibleLine(check)}`,
    '',
    ...quotedDetails,
    '',
    `To answer, write the file \`${answerName}\` beside this one. Its first line is \`approve\` or \`deny\`:`,
    '',
    '```',
    'approve',
    `question: ${id}`,
    'by: your name',
    'reason: why',
    '```',
    '',
  ].join('\n')
}

/** What stands in an answer's file. Whatever is not clearly an answer to this question is none. */
export function answerIn(text: string, id: string, file: string): HumanAnswer {
  const [verdict = '', ...rest] = text.trim().split(/\r?\n/u)
  const fields = fieldsOf(rest)
  const kind = wordOf(verdict)
  if (kind === undefined) return unansweredYet(`an answer in ${file} whose first line is "approve" or "deny"`)
  if (fields['question'] !== id) return unansweredYet(`an answer in ${file} with the line "question: ${id}"`)
  const { by = '', reason = '' } = fields
  return { kind, by: by === '' ? 'file' : by, reason }
}

function wordOf(line: string): 'approved' | 'denied' | undefined {
  switch (line.trim().toLowerCase()) {
    case 'approve':
      return 'approved'
    case 'deny':
      return 'denied'
    default:
      return undefined
  }
}

/** `name: value`; the reason may go on to the end. */
function fieldsOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [index, line] of lines.entries()) {
    const [, name = '', value = ''] = /^\s*(question|by|reason)\s*:(.*)$/iu.exec(line) ?? []
    if (name.toLowerCase() === 'reason') {
      fields['reason'] = [value, ...lines.slice(index + 1)].join('\n').trim()
      break
    }
    if (name !== '') fields[name.toLowerCase()] = value.trim()
  }
  return fields
}

function unansweredYet(waitingFor: string): HumanAnswer {
  return { kind: 'unanswered', waitingFor }
}
