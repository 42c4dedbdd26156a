import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import type { HumanQuestion } from '../../ports/checks.ts'
import { fileHuman } from './human-file.ts'

let root = ''
let folder = ''
let workFolder = ''

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-human-')))
  folder = join(root, 'answers')
  workFolder = join(root, 'work')
  await mkdir(workFolder)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const question: HumanQuestion = {
  runId: 'run-1',
  check: 'page',
  question: 'Is the page as it should be?',
  details: 'Asked about: tree-1',
}

/** Looks once: whoever asks has no more time. */
const once = AbortSignal.abort()

function ask(changes: Partial<HumanQuestion> = {}) {
  return fileHuman({ folder, workFolder }).ask({ ...question, ...changes }, once)
}

async function idIn(file: string): Promise<string> {
  return /question: ([0-9a-f]{16})/u.exec(await readFile(join(folder, file), 'utf8'))?.[1] ?? 'none'
}

async function reply(words: string): Promise<void> {
  writeFileSync(
    join(folder, 'page.answer'),
    `${words}\nquestion: ${await idIn('page.question.md')}\nby: Ada\n`,
  )
}

describe('given a question', () => {
  it('writes it for nobody else to read, and waits', async () => {
    expect(await ask()).toEqual({
      kind: 'unanswered',
      waitingFor: `an answer in ${join(folder, 'page.answer')}`,
    })
    const text = await readFile(join(folder, 'page.question.md'), 'utf8')
    expect(text).toContain('# Is the page as it should be?')
    expect(text).toContain('> Asked about: tree-1')
    expect(statSync(join(folder, 'page.question.md')).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toEqual(['page.question.md'])
  })

  it.each([
    ['approve', 'approved'],
    ['deny', 'denied'],
  ])('takes %s for an answer, also in a later run of this program', async (word, kind) => {
    await ask()
    await reply(word)
    expect(await ask()).toEqual({ kind, by: 'Ada', reason: '' })
    expect(await ask()).toMatchObject({ kind })
  })

  it('waits for the answer as long as it may', async () => {
    await mkdir(folder)
    const changes = watch(folder)
    const asked = fileHuman({ folder, workFolder, intervalMs: 1 }).ask(question, new AbortController().signal)
    for await (const { filename } of changes) if (filename === 'page.question.md') break
    await reply('approve')
    expect(await asked).toMatchObject({ kind: 'approved' })
  })

  it('leaves it unanswered when the time is over', async () => {
    const stop = new AbortController()
    const asked = fileHuman({ folder, workFolder, intervalMs: 100_000 }).ask(question, stop.signal)
    stop.abort()
    expect(await asked).toMatchObject({ kind: 'unanswered' })
  })

  it.each<[string, Partial<HumanQuestion>]>([
    ['another tree', { details: 'Asked about: tree-2' }],
    ['another run', { runId: 'run-2' }],
    ['another question', { question: 'And the footer?' }],
  ])('does not take an old answer for %s', async (_, changes) => {
    await ask()
    await reply('approve')
    expect(await ask(changes)).toMatchObject({ kind: 'unanswered' })
    expect(await ask()).toMatchObject({ kind: 'approved' })
  })

  it.each(['a/../../b', '.hidden', '', '...', 'a b'])(
    'stays in the folder for the check %j',
    async (check) => {
      await ask({ check })
      expect(readdirSync(root).sort()).toEqual(['answers', 'work'])
      expect(readdirSync(folder)).toHaveLength(1)
    },
  )
})

describe('given a drive that would answer itself', () => {
  it('is refused a folder in the work folder', () => {
    symlinkSync(workFolder, join(root, 'link'))
    for (const inside of [
      workFolder,
      join(workFolder, 'a/b'),
      join(root, 'link/a'),
      join(root, 'answers/../work'),
    ])
      expect(() => fileHuman({ folder: inside, workFolder })).toThrow(UsageError)
    for (const outside of [root, folder, `${workFolder}-too`, join(workFolder, '../..work')])
      expect(() => fileHuman({ folder: outside, workFolder })).not.toThrow()
  })

  it('is refused when the folder is moved into the work folder later', async () => {
    const human = fileHuman({ folder, workFolder })
    symlinkSync(workFolder, folder)
    await expect(human.ask(question, once)).rejects.toThrow(UsageError)
  })

  it('is not believed through a symlink, or a flood', async () => {
    await ask()
    const id = await idIn('page.question.md')
    const evil = join(workFolder, 'evil')
    writeFileSync(evil, `approve\nquestion: ${id}\n`)
    symlinkSync(evil, join(folder, 'page.answer'))
    expect(await ask()).toMatchObject({ kind: 'unanswered' })
    rmSync(join(folder, 'page.answer'))
    writeFileSync(join(folder, 'page.answer'), `approve\nquestion: ${id}\n${'x'.repeat(70_000)}`)
    expect(await ask()).toMatchObject({ kind: 'unanswered' })
  })
})

describe('given misuse', () => {
  it.each([0, -1, Number.NaN, Infinity])('refuses an interval of %d', (intervalMs) => {
    expect(() => fileHuman({ folder, workFolder, intervalMs })).toThrow(UsageError)
  })
})
