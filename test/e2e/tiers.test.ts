/** `donecheck tiers`: what would end the work here. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Ended, type Place } from './donecheck.ts'

const manifest = JSON.stringify({ type: 'module', scripts: { test: 'node --test' } })
const project = {
  'package.json': manifest,
  'one.test.mjs': "import { test } from 'node:test'\ntest('one', () => {})\n",
}

function expectPlain({ stdout, exitCode }: Ended): void {
  expect(exitCode).toBe(0)
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  expect(stdout).not.toContain('\u001B')
}

/** Programs of these names stand on PATH. */
async function withAgents(place: Place): Promise<{ readonly PATH: string }> {
  const bin = join(place.home, 'bin')
  await mkdir(bin)
  for (const name of ['claude', 'codex'])
    await writeFile(join(bin, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  return { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` }
}

describe('given a project', () => {
  it('when its checks were asked before, then it tells what they cost', async () => {
    await inPlace(project, async (place) => {
      await place.run(['verify', '--preset', 'tests'])
      const ended = await place.run(['tiers', '--preset', 'tests', '--json'])
      expect(lastJson(ended)).toMatchObject({
        schemaVersion: 1,
        empty: [],
        tiers: expect.arrayContaining([
          expect.objectContaining({
            tier: 'hard',
            rows: expect.arrayContaining([
              expect.objectContaining({
                name: 'tests',
                cost: expect.objectContaining({ verdicts: 1 }) as unknown,
              }),
            ]) as unknown,
          }),
        ]) as unknown,
      })
      expect((await place.run(['tiers', '--preset', 'tests'])).stdout).toMatch(/\d s a turn \(median of 1\)/)
    })
  })
})

describe('given hooks in agents', () => {
  it('then it tells what they ask, and what would stand', { timeout: 120_000 }, async () => {
    await inPlace(project, async (place) => {
      const environment = await withAgents(place)
      const run = (...words: readonly string[]) => place.run(words, { environment, inProcess: true })
      const before = await run('tiers', '--agent', 'codex')
      expectPlain(before)
      expect(before.stdout).toContain('donecheck install codex --preset tests')

      await run('install', 'claude-code', '--until', 'npm test', '--max-tokens', '5000', '--yes')
      const claude = await run('tiers', '--agent', 'claude')
      expectPlain(claude)
      for (const part of ['✓ npm test', 'asked at Stop', 'blocked_stops  5', 'nobody tells what is used'])
        expect(claude.stdout).toContain(part)
      // What is pinned is asked by no hook of Codex.
      const codex = await run('tiers', '--agent', 'codex', '--json')
      expect(lastJson(codex)).toMatchObject({
        subject: { agent: 'codex', hooks: 'none' },
        empty: ['hard', 'soft', 'caps'],
      })
      const planned = await run('tiers', '--agent', 'codex', '--until', 'npm run lint')
      expect(planned.stdout).toContain('as it would be, installed so')
      expect(planned.stdout).toContain('UpdateGoal and Stop')
    })
  })
})

describe('given a question that is asked wrongly', () => {
  it.each([
    [['--agent', 'cluade'], 'did you mean "claude"'],
    [['--agent', 'codex', '--model', 'openai/gpt-5'], 'leave out --agent'],
    [['--check', 'fil:x'], 'fil:x'],
    [['--workdir', 'nowhere'], 'nowhere'],
    [['--max-tokens', 'many'], 'many'],
    [['--rubric', 'good'], '--judge'],
  ])('%j, then it names the value and the way out, and exits with 2', async (words, why) => {
    await inPlace({}, async (place) => {
      const { stderr, exitCode } = await place.run(['tiers', ...words])
      expect(exitCode).toBe(2)
      expect(stderr).toContain(why)
    })
  })
})
