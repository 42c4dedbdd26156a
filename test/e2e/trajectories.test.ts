/** Runs leave as trajectories labelled by verdict, and those of others come in, as what their source says and no more. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inPlace, type Ended } from './donecheck.ts'

/** Exit code and what people read. */
const said = ({ exitCode, stderr }: Ended) => `${exitCode ?? ''} ${stderr}`

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('given a run that was verified and one that only said so', () => {
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
