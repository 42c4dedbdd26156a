import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noteFolders } from './notes.ts'

const mayBecomeAnybody = process.getuid?.() === 0
const inState = { environment: { XDG_STATE_HOME: '/state' }, homeFolder: '/' }

/** Like `docker run --user`: the system has neither a user name nor a home folder. */
function foldersOfNameless(): unknown {
  const script = `
    const { noteFolders } = await import(process.argv[1])
    process.setuid(54321)
    console.log(JSON.stringify(noteFolders('crashes', ${JSON.stringify(inState)})))`
  const words = ['--input-type=module', '-e', script, join(import.meta.dirname, 'notes.ts')]
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))
}

describe('given a hook that writes down what must not depend on the store', () => {
  it('does so beside the records first', () => {
    expect(noteFolders('crashes', inState)[0]).toBe(join('/state', 'donecheck', 'crashes'))
  })

  it.skipIf(!mayBecomeAnybody)('knows where, also for a user without a name (only root can be one)', () => {
    expect(foldersOfNameless()).toEqual([
      join('/state', 'donecheck', 'crashes'),
      expect.stringMatching(/donecheck-54321/),
    ])
  })
})
