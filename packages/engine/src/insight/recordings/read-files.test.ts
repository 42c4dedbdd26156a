import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataSetOf, filesOf, readRuns, type RecordedRun } from './recorded-run.ts'

const line = (id: string, rest: object = {}) =>
  JSON.stringify({
    id,
    model: null,
    agent: 'some agent',
    outcome: { resolved: null, reward: null, labels: [] },
    exit: null,
    turns: [
      {
        i: 0,
        text: 'one\u2028two',
        toolCalls: [
          { name: 'bash', args: {}, argsDigest: 'a', result: null, resultDigest: null, isError: null },
        ],
        tokens: null,
      },
    ],
    ...rest,
  })

describe('given a folder of recorded runs', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recorded-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const write = (name: string, text: string) => writeFile(join(folder, name), gzipSync(text))

  async function readAll() {
    const problems: string[] = []
    const runs: RecordedRun[] = []
    for await (const run of readRuns((await filesOf(folder)) ?? [], (text) => problems.push(text))) {
      runs.push(run)
    }
    return { runs, problems }
  }

  it('reads every packed file, in the order of their names, and nothing else', async () => {
    await write('b.jsonl.gz', `${line('b/1')}\n${line('b/2')}\n`)
    await write('a.jsonl.gz', line('a/1'))
    await writeFile(join(folder, 'README.md'), 'about')
    const { runs, problems } = await readAll()
    expect(runs.map(({ id, file }) => `${file}: ${id}`)).toEqual(['a: a/1', 'b: b/1', 'b: b/2'])
    expect(problems).toEqual([])
  })

  it('splits at line feeds only, although a text holds another line end', async () => {
    await write('a.jsonl.gz', `${line('a/1')}\n\n${line('a/2')}\n`)
    const { runs } = await readAll()
    expect(runs.map(({ turns }) => turns[0]?.text)).toEqual(['one\u2028two', 'one\u2028two'])
  })

  it('leaves out what is no run, and says how many', async () => {
    await write('a.jsonl.gz', `${line('a/1')}\n{"id":\n{"id":"x"}\n`)
    const { runs, problems } = await readAll()
    expect(runs).toHaveLength(1)
    expect(problems).toEqual(['a: 2 lines are not runs of the known form, left out'])
  })

  it('takes what a source leaves out as not known', async () => {
    const call = { name: 'bash', args: { command: 'ls' }, argsDigest: 'a' }
    const run = { id: 'a/1', outcome: {}, turns: [{ toolCalls: [call] }, {}] }
    await write('a.jsonl.gz', JSON.stringify(run))
    const { runs } = await readAll()
    expect(runs).toEqual([
      expect.objectContaining({
        model: null,
        outcome: { resolved: null },
        turns: [
          { toolCalls: [{ ...call, result: null, resultDigest: null, isError: null }] },
          { toolCalls: [] },
        ],
      }),
    ])
  })

  it('goes on with the next file after one that cannot be unpacked', async () => {
    await writeFile(join(folder, 'a.jsonl.gz'), 'not packed')
    await write('b.jsonl.gz', line('b/1'))
    const { runs, problems } = await readAll()
    expect(runs.map(({ id }) => id)).toEqual(['b/1'])
    expect(problems).toEqual([expect.stringContaining('a: the rest cannot be read')])
  })

  it('makes a set of its own of runs that were stopped by their reward', async () => {
    await write('a.jsonl.gz', line('a/1', { outcome: { resolved: true, labels: ['oracle-stop'] } }))
    const { runs } = await readAll()
    expect(runs.map(dataSetOf)).toEqual(['a (oracle-stopped)'])
  })
})
