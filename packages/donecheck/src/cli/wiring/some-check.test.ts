import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '../../config/index.ts'
import type { CliIo } from '../process/io.ts'
import { withProjectTests, withSomeCheck, withSomeCheckOrConsent } from './some-check.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-check-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Without a person. */
function place() {
  const stream = () => Object.assign(new PassThrough(), { isTTY: false })
  const io = {
    ...{ stdin: stream(), stdout: stream(), stderr: stream() },
    ...{ environment: { PATH: '/usr/bin:/bin' }, currentFolder: folder, homeFolder: folder },
  } as unknown as CliIo
  return { io, told: () => String((io.stderr as unknown as PassThrough).read() ?? '') }
}

const withTests = () => writeFile(join(folder, 'package.json'), '{"scripts":{"test":"node --test"}}')
const agent: Config = { agent: 'sh agent.sh' }

describe('given nobody who names a check', () => {
  it('then the tests of the project decide, and that is said, whatever is asked for', async () => {
    await withTests()
    for (const rule of [withProjectTests, withSomeCheck, withSomeCheckOrConsent]) {
      const { io, told } = place()
      expect(await rule(agent, folder, io)).toEqual({ ...agent, presets: ['tests'] })
      expect(told()).toMatch(/^donecheck: no check is named, so the project's own tests decide: npm test/)
    }
  })

  it('when the project has none, then there is nothing to check, and a run needs consent', async () => {
    const { io } = place()
    expect(await withProjectTests(agent, folder, io)).toEqual(agent)
    await expect(withSomeCheck(agent, folder, io)).rejects.toThrow(`there is nothing to check in ${folder}`)
    await expect(withSomeCheckOrConsent(agent, folder, io)).rejects.toThrow('--unchecked')
    const unchecked = { ...agent, unchecked: true }
    expect(await withSomeCheckOrConsent(unchecked, folder, io)).toEqual(unchecked)
  })

  it('when there is something else to check with, then it is proposed, and a preset that nothing makes is refused', async () => {
    const scripts = { lint: 'eslint .', build: 'tsc' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }))
    const { io } = place()
    await expect(withSomeCheck(agent, folder, io)).rejects.toThrow('--preset lint --preset build')
    const impossible = { ...agent, presets: ['tests' as const] }
    for (const rule of [withSomeCheck, withSomeCheckOrConsent])
      await expect(rule(impossible, folder, io)).rejects.toThrow(
        'makes it; found here: --preset lint --preset build. Name its command: --until "COMMAND"',
      )
  })
})

describe('given something that decides', () => {
  it.each<Config>([
    { until: [{ command: 'make check' }] },
    { presets: ['tests'] },
    {
      judge: { models: ['openai/gpt-5'] },
      trustChecks: [{ check: 'judge', by: 'mia' }],
    },
  ])('then %j stays as it is', async (named) => {
    await withTests()
    const { io, told } = place()
    expect(await withSomeCheck(named, folder, io)).toEqual(named)
    expect(told()).toBe('')
  })

  it('then verified replies need no other in a run', async () => {
    const judged: Config = { verifyReplies: {} }
    expect(await withSomeCheckOrConsent(judged, folder, place().io)).toEqual(judged)
  })
})
