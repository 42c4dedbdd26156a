import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '@donecheck/engine/testing'
import { command } from '@donecheck/engine/verify'
import { newFolder, prompted, removeFolders, startSession } from '../fixtures/start-session.ts'

afterEach(removeFolders)

const honest = 'test -f done.txt\n'
const forged = 'exit 0\n'

/** A check whose script lies outside of the work folder, as `../check.sh`. */
async function startSessionBeside(line: string, prepare: (workFolder: string) => void = () => undefined) {
  const folder = newFolder()
  const workFolder = join(folder, 'work')
  mkdirSync(workFolder)
  const script = join(folder, 'check.sh')
  writeFileSync(script, honest)
  prepare(workFolder)
  const hardVerifiers = [command(line)]
  const started = await startSession({ hardVerifiers, workFolder, baseline: 'tree', store: memoryStore() })
  await started.agentSession.observe(prompted)
  return { ...started, write: (text: string) => writeFileSync(script, text) }
}

describe('given a check whose script is not in the tree', () => {
  it.each([
    ['lies outside', 'sh ../check.sh', undefined],
    [
      'is a link to outside',
      'sh check.md',
      (folder: string) => symlinkSync('../check.sh', join(folder, 'check.md')),
    ],
    [
      'reads in a file outside',
      'sh check.md',
      (folder: string) => writeFileSync(join(folder, 'check.md'), '. ../check.sh\n'),
    ],
  ])('sends the agent back that has forged it, where it %s', async (_, line, prepare) => {
    const { agentSession, put, write, claim } = await startSessionBeside(line, prepare)
    write(forged)
    put('other.txt', 'work')
    expect(await claim()).toMatchObject({
      kind: 'block',
      feedback: expect.stringContaining('a check runs it, and it was changed during the run') as unknown,
    })
    write(honest)
    put('done.txt', 'x')
    await claim()
    expect(agentSession.end).toMatchObject({ outcome: 'verified' })
  })
})
