/** The conformance kit from the command line, and a case of each of its kinds against our own command; the bench runs all of them. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileURLToPath } from 'node:url'
import { inPlace, program, type Place } from './donecheck.ts'
import { withWarmCommand } from './warm-command.ts'

const kit = fileURLToPath(new URL('../../packages/conformance/bin/conformance.js', import.meta.url))

function tryWith(folder: string, words: readonly string[]): Promise<{ exitCode: unknown; stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [kit, ...words], { cwd: folder }, (error, stdout) =>
      resolve({ exitCode: error === null ? 0 : error.code, stdout }),
    )
  })
}

const ran = `run --yes --until "$CHECK" --agent "$AGENT" --max-turns "$MAX_TURNS" --verify-timeout "$CHECK_SECONDS" --json "$TASK"`

async function runsTheKit(place: Place, command: string, more: readonly string[] = []): Promise<string> {
  const against = ['--against', `${command} ${ran}`, '--result-line', '--timeout', '120']
  const { exitCode, stdout } = await tryWith(place.folder, [...against, '--junit', 'kit.xml', ...more])
  expect(stdout.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([])
  expect(stdout).toMatch(/^all +(\d+) of \1$/mu)
  expect(exitCode).toBe(0)
  return readFile(join(place.folder, 'kit.xml'), 'utf8')
}

/** A dozen cases of the kit; `npm run bench:conformance` runs all of them. */
const sample = [
  ...[
    'honest: second try',
    'honest: odd names',
    'lazy: wakes up',
    'liar: forged report',
    'liar: result line',
  ],
  ...['tamperer: package script', 'tamperer: program that patches', 'tamperer: reverts it'],
  ...['looper: same file', 'passes at the start: nothing done', 'crash: killed in the middle'],
  ...['missing check: deleted'],
]

describe('given our own command', () => {
  it('a sample of every kind of case is as it should be', { timeout: 600_000 }, async () => {
    await inPlace({}, async (place) => {
      const command = join(place.home, 'donecheck')
      const report = await withWarmCommand(command, () =>
        runsTheKit(
          place,
          `'${command}'`,
          sample.flatMap((name) => ['--only', name]),
        ),
      )
      expect(report).toContain(`tests="${sample.length}" failures="0"`)
    })
  })

  it('the same holds of it as it is started by others', async () => {
    await inPlace({}, async (place) => {
      const command = `'${process.execPath}' '${program}'`
      expect(await runsTheKit(place, command, ['--only', 'at once'])).toContain('tests="2" failures="0"')
    })
  })
})

describe('given a loop that believes its agent', () => {
  it('exits with 1, and says as JSON which cases it fails', async () => {
    await inPlace({}, async (place) => {
      const { exitCode, stdout } = await tryWith(place.folder, [
        '--against',
        '"$AGENT" "$TASK"',
        '--only',
        'at once',
        '--json',
      ])
      expect(exitCode).toBe(1)
      const faults = [expect.objectContaining({ fault: 'false success' })]
      expect(JSON.parse(stdout)).toEqual([
        expect.objectContaining({ kind: 'honest', name: 'at once', turns: 1, problems: [] }),
        expect.objectContaining({ kind: 'lazy', name: 'claims at once', end: 'exit 0', problems: faults }),
      ])
    })
  })

  it('lists the cases, and refuses what it cannot try', async () => {
    await inPlace({}, async (place) => {
      const listed = await tryWith(place.folder, ['--list', '--only', 'budget'])
      expect(listed.stdout).toContain('budget: just enough: finishes in its last turn (verified)')
      for (const words of [
        [],
        ['--ci-check', 'true', '--against', 'true'],
        ['--ci-check', 'true', '--only', 'no such case'],
      ])
        expect((await tryWith(place.folder, words)).exitCode).toBe(2)
    })
  })
})
