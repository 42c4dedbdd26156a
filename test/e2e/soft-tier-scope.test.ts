/** What is known of a loop belongs to the run: neither to what the model still reads of it, nor to another run. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from './donecheck.ts'
import { calls, withModelServer } from './model-server.ts'
import { check, task, tell, type Request } from './soft-tier-run.ts'

const letters = 'abcdef'.split('')
const page = (letter: string) => `This is page ${letter}. ${'Nothing of use stands here. '.repeat(55)}\n`
const reads = (letter: string) => calls('read_file', { path: `${letter}.txt` })

function resultsIn(request: Request | undefined): number {
  return request?.messages.filter(({ role }) => role === 'tool').length ?? 0
}

describe('given a loop over more pages than the window of the model holds', () => {
  it('then it is refused all the same, though not one round of it stands in what the model reads', async () => {
    const steps = Array.from({ length: 8 }, () => letters.map(reads)).flat()
    const files = Object.fromEntries(letters.map((letter) => [`${letter}.txt`, page(letter)]))
    const words = ['--context-window', '3000', '--no-final-summary']
    const story = await tell({ steps, last: reads('a'), files, words })
    const maxInView = Math.max(...story.requests.map(resultsIn))
    expect(maxInView).toBeLessThan(letters.length)
    expect(story.refusals).toMatchObject([{ by: 'detector' }, { by: 'detector' }])
    expect(story.result).toMatchObject({ reason: 'loop_detected', detector: 'cycle', exitCode: 3 })
  })
})

describe('given two runs of one task in one folder and one store', () => {
  it('then the second may do all that the first might: nothing of a loop is handed on', async () => {
    await inPlace({ 'notes.txt': 'Nothing of use.\n' }, (place) =>
      withModelServer([], calls('read_file', { path: 'notes.txt' }), async ({ baseUrl }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes', '--no-final-summary']
        const run = () =>
          place.run(['run', '--until', check, ...model, '--output-format', 'stream-json', task])
        const [first, second] = [await run(), await run()]
        const stepsOf = ({ stdout }: typeof first) =>
          stdout.match(/"type":"(?:tool-called|tool-refused|finding-noted)"/g)
        expect(lastJson(first)).toMatchObject({ reason: 'loop_detected', detector: 'cycle' })
        expect(lastJson(second)).toMatchObject({ reason: 'loop_detected', detector: 'cycle' })
        expect(stepsOf(second)).toEqual(stepsOf(first))
        expect(lastJson(second)['runId']).not.toBe(lastJson(first)['runId'])
      }),
    )
  })
})
