import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command } from './command.ts'

let folder = ''

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-cannot-fail-')))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

function run(line: string) {
  const context = {
    runId: 'run-1',
    workFolder: folder,
    task: 'make it green',
    finalText: '',
    trigger: 'claim',
    turn: 1,
    fingerprint: undefined,
    baseline: undefined,
  } as const
  return command(line).verify(context, new AbortController().signal)
}

describe('given a line that cannot fail', () => {
  const notesOf = async (line: string) =>
    (await run(line)).evidence.flatMap((one) => (one.kind === 'note' ? [one.text] : []))

  it.each(['true', ':', 'exit 0', 'echo fine', 'true && echo fine'])(
    'lets %s pass, and says so',
    async (line) => {
      expect(await run(line)).toMatchObject({ status: 'passed' })
      expect(await notesOf(line)).toEqual(['this line cannot fail: that it passed proves nothing'])
    },
  )

  it.each(['touch x', 'test -d .', 'echo fine && test -d .', `printf '1..1\nok 1 - a\n'`])(
    'says nothing of %s',
    async (line) => {
      expect(await notesOf(line)).toEqual([])
    },
  )
})
