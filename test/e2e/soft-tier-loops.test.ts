/** Loops end a run under their own names, and what is known of a loop belongs to its run. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Ended } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'
import { check, rulesOf, task, tell, type Request, type Step } from './soft-tier-run.ts'

const summary = 'Nothing is written yet.'
const done = calls('write_file', { path: 'report.txt', content: 'DONE\n' })

/** Several shell commands in one reply. */
function shell(commands: readonly string[]): Step {
  const toolCalls = commands.map((command) => ({ name: 'run_shell', arguments: JSON.stringify({ command }) }))
  return { response: { toolCalls } }
}

/** Numbers in a text are masked where texts are compared; words are not. */
const words = ['red', 'blue', 'green', 'black', 'white', 'brown', 'grey', 'pink', 'gold', 'teal']
const drafts = words.map((word) => calls('write_file', { path: 'report.txt', content: `a ${word} draft\n` }))

const letters = 'abcdef'.split('')
const page = (letter: string) => `This is page ${letter}. ${'Nothing of use stands here. '.repeat(55)}\n`
const reads = (letter: string) => calls('read_file', { path: `${letter}.txt` })

function resultsIn(request: Request | undefined): number {
  return request?.messages.filter(({ role }) => role === 'tool').length ?? 0
}

describe('given a model that calls a tool that does not exist', () => {
  it('then the run ends as loop_detected cycle', async () => {
    const steps = Array.from({ length: 8 }, () => calls('fly', { to: 'the end' }))
    const story = await tell({ steps, last: says(summary) })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({
      reason: 'loop_detected',
      detector: 'cycle',
      exitCode: 3,
    })
    expect(rulesOf(story)).toContain('loop:cycle')
    expect(story.shown).toContain('loop_detected cycle')
  })
})

describe('given a model whose commands all fail in one way', () => {
  it('then it is told, and the run ends as loop_detected same_failure', async () => {
    const parts = 'abcdefghijkl'.split('')
    const steps = [1, 2, 3].map((round) => shell(parts.map((part) => `make-report --part ${part}${round}`)))
    const story = await tell({ steps, last: says(summary) })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({ reason: 'loop_detected', detector: 'same_failure', summary })
    expect(story.findings[0]).toMatchObject({ rule: 'loop:same_failure', level: 'warn' })
    expect(story.shown).toMatch(/! same_failure: run_shell failed in the same way \d+ times/)
    expect(story.shown).toContain('loop_detected same_failure')
    expect(story.requests.at(-2)).toHaveProperty('tools')
    expect(story.requests.at(-1)).not.toHaveProperty('tools')
    expect(JSON.stringify(story.requests.at(-1))).toContain('You have no tools any more')
  })
})

describe('given a model whose replies chant', () => {
  it('then the run ends as loop_detected repeated_reply, and its answer is marked as not confirmed', async () => {
    const chant = 'I will write the report now. '.repeat(40)
    const story = await tell({ last: says(chant) })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({
      reason: 'loop_detected',
      detector: 'repeated_reply',
      summaryBy: 'withheld-answer',
    })
    expect(rulesOf(story)).toContain('loop:repeated_reply')
    expect(story.shown).toContain('loop_detected repeated_reply')
    expect(story.shown).toContain('which the checks did not confirm')
  })
})

describe('given a model that says of every new draft that it is done', () => {
  it('then the run ends as loop_detected failed_check_repeat', async () => {
    const steps = drafts.flatMap((draft, at) => [draft, says(`Now it is done, in ${words[at]}.`)])
    const settings = { loopDetection: { failedCheckRepeatThreshold: 3 }, verifyWhen: 'on-claim' }
    const files = { 'donecheck.config.json': JSON.stringify(settings) }
    const story = await tell({ steps, last: says('Done.'), files })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({
      reason: 'loop_detected',
      detector: 'failed_check_repeat',
      exitCode: 3,
    })
    expect(rulesOf(story)).toContain('loop:failed_check_repeat')
    expect(story.shown).toContain('loop_detected failed_check_repeat')
  })
})

describe('given a cap on one tool', () => {
  it('then one call more is refused and told, and the run goes on to its end', async () => {
    const lists = calls('list_files', { path: '.' })
    const words = ['DONECHECK_MAX_TOOL_CALLS_OF={"list_files":1}']
    const story = await tell({ steps: [lists, lists, done], last: says('Done.'), words })
    expect(story.refusals).toMatchObject([{ by: 'cap' }])
    expect(story.refusals[0]?.reason).toContain('list_files')
    expect(story.findings).toContainEqual(expect.objectContaining({ rule: 'cap:calls_per_tool' }))
    expect(story.result).toMatchObject({ reason: 'task_complete', exitCode: 0 })
  })
})

describe('given a model that is stuck when its turns are used', () => {
  it('then it is no better off after --top-up: the loop is known, and the next call is refused', async () => {
    let resumed: Ended | undefined
    const story = await tell({
      last: calls('read_file', { path: 'notes.txt' }),
      files: { 'notes.txt': 'Nothing of use.\n' },
      words: ['--max-turns', '6', '--no-final-summary'],
      async then(place) {
        const more = ['--top-up', 'turns=20', '--output-format', 'stream-json']
        resumed = await place.run(['resume', 'last', ...more])
      },
    })
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap: 'iterations' })
    const types = resumed?.stdout.match(/"type":"(?:tool-called|tool-refused)"/g) ?? []
    expect(types[0]).toContain('tool-refused')
    expect(resumed && lastJson(resumed)).toMatchObject({
      reason: 'loop_detected',
      detector: 'cycle',
      exitCode: 3,
    })
  })
})

describe('given a loop over more pages than the window of the model holds', () => {
  it('then it is refused all the same, though not one round of it stands in what the model reads', async () => {
    const steps = Array.from({ length: 8 }, () => letters.map(reads)).flat()
    const files = Object.fromEntries(letters.map((letter) => [`${letter}.txt`, page(letter)]))
    const words = ['DONECHECK_CONTEXT_WINDOW_TOKENS=3000', '--no-final-summary']
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
