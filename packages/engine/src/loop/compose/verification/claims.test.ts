import type { ModeOption } from '@donecheck/core/detectors'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evidenceOfEnd } from '@donecheck/core/decide'
import { fold } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import { scriptedDrive, type ScriptedStep } from '../../drives/index.ts'
import { resultLine } from '../../report/index.ts'
import { defaultTools } from '../../tools/index.ts'
import { createAgentLoop } from '../compose.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A run without any check, by a drive that may write. */
const run = (...script: readonly ScriptedStep[]) => runWith(undefined, ...script)

async function runWith(contradictions: ModeOption | undefined, ...script: readonly ScriptedStep[]) {
  const running = createAgentLoop({
    ...(contradictions === undefined ? {} : { softVerifiers: { contradictions } }),
    drive: scriptedDrive(script),
    workFolder: folder,
    tools: defaultTools({ workFolder: folder }),
    gate: { approval: 'never' },
  }).run('write it')
  const events: RunEvent[] = []
  for await (const event of running) events.push(event)
  const feedback = events.flatMap((event) => (event.type === 'turn-ended' ? (event.feedback ?? []) : []))
  return { result: await running, events, feedback }
}

const write = (path: string, content: string) => ({
  tools: [{ tool: 'write_file', args: { path, content } }],
})

describe('given a claim that nothing checks', () => {
  it('ends as unverified, and says what it rests on; a replay of its events says the same', async () => {
    const { result, events } = await run(write('a.js', 'export const a = 1\n'), 'I created `a.js`.')
    expect(result.transition.outcome).toBe('unverified')
    expect(result.evidence).toEqual({ grade: 'never-run', text: 'it was delivered without being run' })
    const state = fold(events)
    if (state === undefined) throw new Error('a run has events')
    expect(evidenceOfEnd(state)).toEqual(result.evidence)
    expect(resultLine(state).evidence).toEqual(result.evidence)
  })

  it('is sent back with a source that cannot be parsed, and ends once it can', async () => {
    const { result, feedback } = await run(
      write('a.js', 'export const a = {\n'),
      'I created `a.js`.',
      write('a.js', 'export const a = {}\n'),
      'I have fixed it.',
    )
    expect(feedback).toEqual([expect.stringContaining('a.js, which you changed, cannot be parsed')])
    expect(result.transition).toMatchObject({ reason: 'model_ended', outcome: 'unverified' })
    expect(readFileSync(join(folder, 'a.js'), 'utf8')).toContain('{}')
  })

  it('is only recorded as contradicted in the mode shadow, and not looked at where that is off', async () => {
    const script = [write('a.js', 'export const a = {\n'), 'I created `a.js`.'] as const
    const shadowed = await runWith('shadow', ...script)
    expect(shadowed).toMatchObject({ feedback: [], result: { transition: { reason: 'model_ended' } } })
    expect(shadowed.result.state.noted.join(' ')).toContain('shadow:claim_contradicted')
    const off = await runWith(false, ...script)
    expect(off).toMatchObject({ feedback: [], result: { state: { noted: [] } } })
    expect(off.events.map(({ type }) => type)).not.toContain('claim-examined')
    await expect(runWith('loud' as ModeOption, ...script)).rejects.toThrow('must be on, shadow or off')
  })

  it('of a file that is not there is sent back once, and may end if it is said again', async () => {
    const { result, events, feedback } = await run(
      write('notes.txt', '1\n'),
      'I wrote `report.md`.',
      'I wrote `report.md`.',
    )
    expect(feedback).toEqual([expect.stringContaining('there is no such file')])
    expect(events.filter(({ type }) => type === 'claim-examined')).toHaveLength(2)
    expect(result.transition.outcome).toBe('unverified')
  })
})
