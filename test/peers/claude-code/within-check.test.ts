/** The real Claude Code twice: the one whose hooks are ours, and the one below or above it. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { claude } from '../hooks/agents.ts'
import { go, patient, shown, statusesOf, testTimeoutMs, withHooks } from '../hooks/hooked-agent.ts'
import { describeWith, mends } from '../kit/index.ts'

const linesIn = (text: string) => text.trim().split('\n')

describeWith('claude', 'given Claude Code whose check asks Claude Code', () => {
  it(
    'runs the check for each claim, and its first green twice: the judge, whose hooks are the same, is not held',
    async () => {
      const asks = join(mkdtempSync(join(tmpdir(), 'asks-')), 'asked')
      const judge = `echo asked >> ${asks}; claude -p "Is it fine?" > /dev/null && test -f done.txt`
      // The judges answer from the same script: they are never told of an exit code.
      const step = ({ told }: { readonly told: string }) =>
        told.includes('exit code 1') ? mends('claude') : { text: 'Fine.' }
      const install = ['--until', judge, '--max-blocked-stops', '2']
      await withHooks(claude, { steps: [step], install }, async (place) => {
        const ended = await go(claude, place)
        expect(ended.exitCode, shown(ended)).toBe(0)
        // Red in the clean room and, because the room was never compared, in the work folder; then green twice in the room.
        expect(linesIn(readFileSync(asks, 'utf8'))).toHaveLength(4)
        expect(await statusesOf(place)).toMatchObject([{ task: 'Create done.txt', outcome: 'verified' }])
        expect(await place.leftovers()).toEqual([])
      })
    },
    testTimeoutMs,
  )
})

describeWith('claude', 'given Claude Code with our hooks, which the outer loop runs', () => {
  it(
    'is held within its turn by the hooks, and verified after it from outside: what counts is that',
    async () => {
      const asks = join(mkdtempSync(join(tmpdir(), 'asks-')), 'asked')
      const steps = [{ text: 'Done already.' }, mends('claude'), { text: 'Done, really.' }]
      const asked = `echo asked >> ${asks}; test -f done.txt`
      await withHooks(claude, { steps, install: ['--until', asked] }, async (place) => {
        const words = [
          '--agent',
          'claude --dangerously-skip-permissions',
          '--until',
          asked,
          'Create done.txt',
        ]
        const ended = await place.donecheck(['run', 'DONECHECK_VERIFY_AT_CAP=false', ...words], patient)
        expect(ended.exitCode, shown(ended)).toBe(0)
        // One turn of the agent: before it the red tree in both places, in it red and twice green by the hooks, after it green from outside,
        // and red once more without the changes of the run.
        expect(linesIn(readFileSync(asks, 'utf8'))).toHaveLength(7)
        const { stdout } = await place.donecheck(['list', '--json'])
        const runs = JSON.parse(stdout) as readonly { readonly outcome: string }[]
        expect(runs.map(({ outcome }) => outcome)).toEqual(['verified', 'verified'])
      })
    },
    testTimeoutMs,
  )
})
