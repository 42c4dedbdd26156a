/** Lines that would change the guard, and similar lines of usual work. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { installed, removeFolders } from './fixtures/installed.ts'

afterEach(removeFolders)

const tenMinutesMs = 600_000

/** `{W}` is the work folder, `{H}` the home folder, `\\n` a line end. */
function linesOf(name: string): readonly string[] {
  const text = readFileSync(new URL(`./fixtures/${name}-lines.txt`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}

async function passingOf(lines: readonly string[]): Promise<readonly string[]> {
  const { bash, begin, workFolder, homeFolder } = installed()
  mkdirSync(join(workFolder, 'src'))
  writeFileSync(join(workFolder, '.claude/settings.json'), '{}')
  await begin()
  const passing: string[] = []
  for (const line of lines) {
    const script = line.replaceAll('\\n', '\n').replaceAll('{W}', workFolder).replaceAll('{H}', homeFolder)
    if (!/"permissionDecision":"(?:deny|ask)"/.test(await bash(script))) passing.push(line)
  }
  return passing
}

it(
  'refuses, or asks for, all that would change what holds the agent',
  { timeout: tenMinutesMs },
  async () => {
    expect(await passingOf(linesOf('attack'))).toEqual([])
  },
)

it('leaves usual work alone', { timeout: tenMinutesMs }, async () => {
  const lines = linesOf('usual')
  expect(await passingOf(lines)).toEqual(lines)
})
