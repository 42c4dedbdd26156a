/** Runs leave as trajectories labelled by verdict, and those of others come in, as what their source says and no more. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inPlace, type Ended, type Place } from './donecheck.ts'

const key = 'correct-horse-battery'
const secret = { environment: { MY_API_KEY: key } }

/** A run that is verified, and one that only says that it is done. */
async function twoRuns(place: Place): Promise<void> {
  const run = (script: string) =>
    place.run(['run', '--until', 'test -e done.txt', '--agent', script, '--max-turns', '2', 'Make it.'])
  await place.run(['run', '--until', 'test -e no.txt', '--agent', 'sh liar.sh', '--max-turns', '2', 'Lie.'])
  await run('sh worker.sh')
}

const agents = {
  'liar.sh': `cat > /dev/null; echo "All done, Mia! The key is ${key}"`,
  'worker.sh': 'cat > /dev/null; echo "I made it, Mia."; touch done.txt',
}

/** Exit code and what people read. */
const said = ({ exitCode, stderr }: Ended) => `${exitCode ?? ''} ${stderr}`

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('given a run that was verified and one that only said so', () => {
  it('then they are exported by verdict, redacted, with a manifest that accounts for it', async () => {
    await inPlace(agents, async (place) => {
      await twoRuns(place)
      await place.write('out/.keep', '')
      const words = [
        'export',
        '--all',
        '--format',
        'sharegpt',
        '--redact',
        'Mia',
        '--output',
        'out/runs.jsonl',
      ]
      const ended = await place.run(words, secret)
      expect(said(ended)).toMatch(/^0 exported runs: 2, left out: 0: /)
      const text = await readFile(`${place.folder}/out/runs.jsonl`, 'utf8')
      expect(text).not.toMatch(/Mia|correct-horse/)
      expect(linesOf(text).map(({ completed, verdict }) => ({ completed, verdict }))).toMatchObject([
        { completed: false, verdict: { outcome: 'exhausted' } },
        {
          completed: true,
          verdict: { outcome: 'verified', checks: [{}, { name: 'test -e done.txt', status: 'passed' }] },
        },
      ])
      expect(JSON.parse(await readFile(`${place.folder}/out/manifest.json`, 'utf8'))).toMatchObject({
        ...{ form: 'sharegpt', runs: 2, outcomes: { verified: 1, exhausted: 1 }, imported: 0 },
        redactions: { MY_API_KEY: 2, 'redact-1': 3 },
        files: [{ name: 'runs.jsonl', sha256: createHash('sha256').update(text).digest('hex') }],
      })
      const again = await place.run(words, secret)
      expect(said(again)).toMatch(/^2 .*manifest belongs/)
    })
  })

  it('then all records are moved at once, without loss', async () => {
    await inPlace(agents, async (place) => {
      await twoRuns(place)
      await place.write('out/.keep', '')
      await place.run(['export', '--all', '--output', 'out/all.jsonl'])
      const other = ['--store', `${place.home}/other`]
      expect((await place.run(['import', 'out/all.jsonl', ...other])).stderr).toBe('imported: 2 runs\n')
      expect((await place.run(['export', '--all', ...other])).stdout).toBe(
        await readFile(`${place.folder}/out/all.jsonl`, 'utf8'),
      )
      const { stderr } = await place.run(['export', '--all', '--only', 'verified', ...other])
      expect(stderr).toBe('exported runs: 0, left out: 2\n')
    })
  })

  it.each([
    [['export'], 'name a run, or give --all'],
    [['export', 'last', '--all'], 'leave one out'],
    [['export', 'last', '--redact', 'x'], '--redact changes no record'],
    [['export', 'last', '--only', 'failed'], '--only chooses among runs'],
    [['export', 'last', '--format', 'atif', '--redact', '('], 'is no regular expression'],
  ])('then %j is refused, and says why', async (words, problem) => {
    await inPlace({}, async (place) => {
      const ended = said(await place.run(words))
      expect(ended).toMatch(/^2 /)
      expect(ended).toContain(problem)
    })
  })
})

describe('given trajectories of others', () => {
  const call = {
    name: 'bash',
    args: { command: 'ls' },
    argsDigest: '0123456789abcdef',
    result: 'a.ts',
    isError: false,
  }
  const trajectory = (id: string, rest: object) =>
    JSON.stringify({
      ...{ id, source: 'owner/name@1', agent: 'theirs', model: 'm', prompt: 'Mend it.', stepLimit: 30 },
      turns: [
        { text: 'I look.', toolCalls: [call] },
        { text: 'Mended!', toolCalls: [], reply: 'Thanks.' },
      ],
      ...rest,
    })
  const file = gzipSync(
    [
      trajectory('a', { outcome: { resolved: true, reward: 1 }, exit: 'Submitted' }),
      trajectory('b', { outcome: { resolved: false }, exit: 'max_steps' }),
    ].join('\n'),
  )

  it('then they are runs on record, imported, of which nothing is verified, and say why they stopped', async () => {
    await inPlace({ 'theirs.jsonl.gz': file }, async (place) => {
      expect((await place.run(['import', 'theirs.jsonl.gz'])).stderr).toBe('imported: 2 runs\n')
      expect((await place.run(['import', 'theirs.jsonl.gz'])).stderr).toBe(
        'there already, and the same: 2 runs\n',
      )
      const { stdout: list } = await place.run(['list'])
      expect(list).toMatch(/imported: unverified /)
      expect(list).toMatch(/imported: exhausted: turns/)
      const ids = [...list.matchAll(/^import-\w+/gm)].map(([id]) => id)
      const shown = await Promise.all(ids.map(async (id) => (await place.run(['show', id])).stdout))
      expect(shown.join('\n')).toContain('imported from a file: nothing of what it says was observed')
      expect(shown.join('\n')).toContain('owner/name@1 says: resolved, reward 1; no check of ours has looked')
      expect(shown.join('\n')).toContain('hard_cap: ')
      const { stdout: events } = await place.run(['show', ids[0] ?? '', '--json'])
      expect(linesOf(events).at(-1)).toMatchObject({ type: 'run-stopped' })
      const resumed = await place.run(['resume', ids[0] ?? ''])
      expect(said(resumed)).toMatch(/^2 .*nobody can go on with it/)
      expect((await place.run(['backtest', '--runs'])).stdout).toContain('1 reached their goal, 1 did not')
    })
  })

  it.each(['sharegpt', 'openai', 'atif'])(
    'then what goes out as %s comes in with the same turns',
    async (form) => {
      await inPlace({ 'theirs.jsonl.gz': file }, async (place) => {
        await place.run(['import', 'theirs.jsonl.gz'])
        const [first, second] = [
          ['--store', `${place.home}/2`],
          ['--store', `${place.home}/3`],
        ] as const
        const out = async (store: readonly string[]) =>
          (await place.run(['export', '--all', '--format', form, ...store])).stdout
        const told = (text: string) =>
          linesOf(text).map(({ conversations, messages, steps }) =>
            JSON.stringify(conversations ?? messages ?? steps).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''),
          )
        const once = await out([])
        await place.run(['import', '-', ...first], { stdin: once })
        const twice = await out(first)
        expect(told(twice).toSorted()).toEqual(told(once).toSorted())
        await place.run(['import', '-', ...second], { stdin: twice })
        expect(told(await out(second)).toSorted()).toEqual(told(once).toSorted())
      })
    },
  )

  it('then a line that is none is told by its number, and the others are there', async () => {
    const text = `${trajectory('a', { outcome: {} })}\n{"id":\n\n{"id":"x"}\n`
    await inPlace({ 'some.jsonl': text }, async (place) => {
      const ended = await place.run(['import', 'some.jsonl'])
      expect(said(ended)).toMatch(/^2 [^]*some\.jsonl, line 2: neither .* \(such lines: 2\)/)
      expect((await place.run(['list'])).stdout.trim().split('\n')).toHaveLength(1)
    })
  })
})
