/** The main job over real HTTP: a model works, the program decides. */
import { describe, expect, it } from 'vitest'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inPlace, lastJson, type Ended, type Place } from './donecheck.ts'
import { breaksOff, calls, fails, says, withModelServer } from './model-server.ts'

const until = ['--until', 'grep -q DONE report.txt']
const writesDone = calls('write_file', { path: 'report.txt', content: 'DONE\n' })

async function runWith(
  steps: Parameters<typeof withModelServer>[0],
  last: Parameters<typeof withModelServer>[1],
  words: readonly string[],
): Promise<{ readonly ended: Ended; readonly requests: readonly unknown[]; readonly report: string }> {
  return inPlace({}, (place: Place) =>
    withModelServer(steps, last, async ({ baseUrl, requests }) => {
      const model = ['--base-url', baseUrl, '--model', 'fake-model']
      const ended = await place.run(['run', ...until, ...model, ...words, 'Write DONE into report.txt.'])
      const report = await readFile(join(place.folder, 'report.txt'), 'utf8').catch(() => '(none)')
      return { ended, requests: requests(), report }
    }),
  )
}

describe('given a server that has its troubles', () => {
  it('then 429, 500 and a closed connection are tried again, and only the call that was answered counts', async () => {
    const troubles = [fails(429, 'slow down'), fails(500, 'oops'), breaksOff('I will write it'), writesDone]
    const { ended } = await runWith(troubles, says('Done.'), ['--yes', '--json'])
    expect(lastJson(ended)).toMatchObject({ outcome: 'verified', usage: { modelCalls: 1 } })
  })

  it('then a limit of 3 model calls never makes a 4th', async () => {
    const notes = ['1', '2', '3', '4'].map((content) => calls('write_file', { path: 'notes.txt', content }))
    const { ended, requests } = await runWith(notes, says('Done.'), ['--yes', 'DONECHECK_MAX_MODEL_CALLS=3'])
    expect(requests).toHaveLength(3)
    expect(ended.stdout).toContain('hard_cap: 2 of 3 model calls: no room for the next step')
    expect(ended.exitCode).toBe(3)
  })

  it('then one that fails for good ends the run as an error that names it', async () => {
    const { ended } = await runWith([], fails(401, 'no such key'), [])
    expect(ended.stdout).toContain('→ error after 1 turn')
    expect(ended.exitCode).toBe(70)
  })

  it('then malformed tool arguments and unknown tools are told to the model, and the run goes on', async () => {
    const { ended, requests } = await runWith(
      [calls('write_file', '{"path": "report.txt", "content'), calls('write_everything', {}), writesDone],
      says('Done.'),
      ['--yes'],
    )
    expect(ended.exitCode).toBe(0)
    expect(JSON.stringify(requests[1])).toContain('unreadable arguments')
    expect(JSON.stringify(requests[2])).toContain('there is no tool')
  })
})

describe('given --approval', () => {
  it('then all asks for a read too, and without a terminal that is a no', async () => {
    const reads = calls('list_files', {})
    const { ended, requests } = await runWith([], reads, ['--approval', 'all'])
    expect(JSON.stringify(requests[1])).toContain('there is no terminal')
    expect(ended.exitCode).toBe(5)
  })
})

describe('given no terminal and no --yes', () => {
  it('then writes are refused with a reason that the model sees, and after three such turns the run ends', async () => {
    const { ended, requests, report } = await runWith([], writesDone, ['--approval', 'writes'])
    expect(report).toBe('(none)')
    expect(JSON.stringify(requests[1])).toContain('there is no terminal')
    expect(ended.stdout).toContain('permission_denied')
    expect(ended.exitCode).toBe(5)
  })
})
