/**
 * Makes the recordings of this folder anew: real runs of the real command, against a model server on loopback and a
 * shell agent. Run it with `node test/recordings/record.ts` after a build, then `UPDATE_RECORDINGS=1 npx vitest run
 * test/recordings.test.ts`, and read the difference: it is a change of what donecheck decides.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inPlace, type Place } from '../e2e/donecheck.ts'
import { breaksOff, calls, fails, says, withModelServer } from '../e2e/model-server.ts'

const folder = fileURLToPath(new URL('./', import.meta.url))
const until = ['--until', 'grep -q DONE report.txt']
const writesDone = calls('write_file', { path: 'report.txt', content: 'DONE\n' })
const writesDraft = calls('write_file', { path: 'report.txt', content: 'draft\n' })
const asksUnknown = calls('write_everything', {})

type Steps = Parameters<typeof withModelServer>[0]

async function keep(name: string, place: Place): Promise<void> {
  const output = join(folder, `${name}.run.jsonl`)
  await rm(output, { force: true })
  const ended = await place.run(['export', 'last', '--output', output])
  if (ended.exitCode !== 0) throw new Error(`${name}: ${ended.stderr}`)
}

async function recordModel(name: string, steps: Steps, last: Steps[number], words: readonly string[]): Promise<void> {
  await inPlace({}, (place) =>
    withModelServer(steps, last, async ({ baseUrl }) => {
      const model = ['--base-url', baseUrl, '--model', 'fake-model']
      await place.run(['run', ...until, ...model, ...words, 'Write DONE into report.txt.'])
      await keep(name, place)
    }),
  )
}

async function recordAgent(name: string, files: Readonly<Record<string, string>>, check: string): Promise<void> {
  await inPlace(files, async (place) => {
    await place.run(['run', '--until', check, '--agent', 'sh agent.sh', 'Work.'])
    await keep(name, place)
  })
}

async function recordInterrupted(): Promise<void> {
  await inPlace({ 'agent.sh': 'echo working; sleep 1000' }, async (place) => {
    const started = place.start(['run', '--until', 'test -e done.txt', '--agent', 'sh agent.sh', 'Make done.txt.'])
    await started.shows('turn 1')
    started.child.kill('SIGINT')
    await started.ended
    await place.write('agent.sh', 'touch done.txt; echo finished')
    await place.run(['resume', 'last'])
    await keep('interrupted-then-verified', place)
  })
}

await recordModel('claimed-then-verified', [says('All done!'), says(''), writesDone], says('Done.'), ['--yes'])
await recordModel('exhausted', [asksUnknown], writesDraft, ['--yes', '--max-turns', '4'])
await recordModel('troubled', [fails(429, 'slow down'), fails(500, 'oops'), breaksOff('I will'), writesDone], says('Done.'), ['--yes'])
await recordModel('refused', [], writesDone, ['--approval', 'untrusted'])
// A call that the provider refused is not counted.
await recordModel('model-calls-capped', [fails(500, 'oops')], asksUnknown, ['DONECHECK_MAX_MODEL_CALLS=2'])
await recordModel('cut-off-reply', [{ ...says('I will now write'), response: { content: 'I will now write', finishReason: 'length' } }, writesDone], says('Done.'), ['--yes'])
await recordModel('finished-at-a-cap', [writesDone], writesDone, ['--yes', 'DONECHECK_VERIFY_WHEN=on-claim', '--max-turns', '1'])
await recordAgent('green-before', { 'done.txt': '', 'agent.sh': 'echo done' }, 'test -e done.txt')
await recordAgent('blocked', { 'agent.sh': 'echo done' }, 'no-such-check')
await recordInterrupted()
