import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import type { Human, Verifier, VerifierContext } from '@donecheck/engine/internal/ports/checks'
import { judgedBy } from '@donecheck/engine/verify'
import { parseConfig } from '../index.ts'
import { readCheckFiles, verifierFor } from './spec.ts'
import type { CheckParts } from './check-kind.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-kinds-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const yes: Human = { ask: () => Promise.resolve({ kind: 'approved', by: 'Ada', reason: 'read it' }) }

/** A judge that searches the answer for its rubric. */
const parts: CheckParts = {
  human: yes,
  timeoutMs: 60_000,
  environment: {},
  judged: async ({ rubric }, options) =>
    judgedBy(
      {
        name: 'scripted',
        judge: ({ answer }) =>
          Promise.resolve({
            kind: answer.includes(rubric) ? 'met' : 'not-met',
            reason: 'as scripted',
            quotes: [],
            costUsd: 0.01,
          }),
      },
      { name: `judge: ${rubric}`, ...options, rubric },
    ),
}

async function verifierOf(check: unknown): Promise<Verifier> {
  const [named] = parseConfig({ checks: [check] }, 'test').checks ?? []
  if (named === undefined) throw new TypeError('there is a check')
  const read = (path: string) =>
    readFile(join(folder, path), 'utf8').catch((error: unknown) => {
      throw new UsageError(String(error))
    })
  const [spec] = parseConfig({ checks: [await readCheckFiles(named, read)] }, 'test').checks ?? []
  if (spec === undefined) throw new TypeError('there is a check')
  return verifierFor(spec, parts)
}

async function statusOf(check: unknown, answer: string): Promise<string> {
  const context: VerifierContext = {
    runId: 'run-1',
    workFolder: folder,
    task: 'write the report',
    finalText: answer,
    trigger: 'claim',
    turn: 1,
    fingerprint: 'f',
    baseline: undefined,
  }
  return (await (await verifierOf(check)).verify(context, new AbortController().signal)).status
}

describe('given a check of each kind', () => {
  beforeEach(async () => {
    await writeFile(join(folder, 'note.md'), 'Checkpoints resume a run.')
    await writeFile(join(folder, 'report.schema.json'), '{"type":"object","required":["title"]}')
  })

  it.each([
    ['schema:report.schema.json', '{"title":"x"}', 'passed'],
    ['schema:report.schema.json', '{}', 'failed'],
    ['json:{"query":"$.n","equals":1}', '{"n":1}', 'passed'],
    ['json:$.n', '{}', 'failed'],
    ['text:{"requires":["Summary"],"forbids":["TBD"],"words":{"max":5}}', 'Summary: all good', 'passed'],
    ['text:{"requires":["Summary"],"forbids":["TBD"],"words":{"max":5}}', 'Summary: TBD', 'failed'],
    ['files:*.md', '', 'passed'],
    ['files:{"files":["note.md"],"contain":"nothing"}', '', 'failed'],
    ['size:{"files":["*.md"],"maxBytes":25}', '', 'passed'],
    ['size:{"files":["*.md"],"maxBytes":24}', '', 'failed'],
    ['size:{"files":["*.txt"],"maxBytes":9}', '', 'failed'],
    ['citations:*.md', '- "resume a run" [source: note]', 'passed'],
    ['citations:*.md', '- made up [source: note]', 'failed'],
    ['citations:corpus/**', '- "resume" [source: note]', 'error'],
    ['similarity:the reference', 'an answer', 'error'],
    ['git:clean', '', 'error'],
    ['patch:{}', 'no patch', 'failed'],
    ['process:no-such.pid', '', 'failed'],
    ['human:Is it good?', 'yes', 'passed'],
    ['judge:polite', 'a polite answer', 'passed'],
    ['judge:polite', 'an answer', 'failed'],
    [
      'all:{"of":["schema:report.schema.json","quorum:{\\"atLeast\\":1,\\"of\\":[\\"judge:title\\",\\"judge:other\\"]}","human:Send it?"]}',
      '{"title":"x"}',
      'passed',
    ],
    ['any:{"of":["git:clean","text:done"]}', 'it is done', 'passed'],
    ['weighted:{"threshold":0.5,"of":["text:a","text:b"]}', 'a', 'passed'],
  ])('then %s says of %j: %s', async (check, answer, status) => {
    expect(await statusOf(check, answer)).toBe(status)
  })

  it('then its name, part and weight are those of the check, however many verifiers it is', async () => {
    const check = {
      kind: 'text',
      name: 'form',
      required: false,
      weight: 3,
      words: { max: 9 },
      forbids: ['TBD'],
    }
    expect((await verifierOf(check)).description).toMatchObject({ name: 'form', required: false, weight: 3 })
    const one = { kind: 'files', name: 'there', required: false, files: ['*.md'] }
    expect((await verifierOf(one)).description).toMatchObject({ name: 'there', required: false })
  })
})

describe('given a check that asks nothing, or two things at once', () => {
  it.each([
    ['text:{"caseSensitive":true}'],
    ['git:{"against":"main"}'],
    ['json:{"query":"$","equals":1,"count":1}'],
    ['process:{"port":1,"pidFile":"x"}'],
    ['text:{"requires":[{"pattern":"("}]}'],
    ['schema:nowhere.json'],
    ['similarity:{"toFile":"nowhere.md"}'],
    ['similarity:{"threshold":0.5}'],
  ])('then %s is refused', async (check) => {
    await expect(verifierOf(check)).rejects.toThrow(UsageError)
  })
})
