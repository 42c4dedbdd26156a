/** The doctor runs what an agent would run, and says what is missing. */
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, type Ended, type Place } from './donecheck.ts'

interface Diagnosis {
  readonly isHealthy: boolean
  readonly problems: readonly string[]
  readonly installations: readonly {
    readonly trials: readonly {
      readonly what: string
      readonly word: string
      readonly isAsExpected: boolean
    }[]
  }[]
}

interface Patient {
  readonly place: Place
  readonly file: string
  readonly run: (...words: readonly string[]) => Promise<Ended>
  readonly examined: () => Promise<{ readonly exitCode: number | null; readonly diagnosis: Diagnosis }>
}

/** Claude Code is installed, as far as anybody looks: a program of that name stands on PATH. */
async function withPatient(work: (patient: Patient) => Promise<void>): Promise<void> {
  await inPlace({ 'package.json': '{}' }, async (place) => {
    const bin = join(place.home, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'claude'), '#!/bin/sh\nexit 0\n')
    await chmod(join(bin, 'claude'), 0o755)
    const environment = { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` }
    const run = (...words: readonly string[]) => place.run(words, { environment })
    await work({
      place,
      file: join(place.home, '.claude', 'settings.json'),
      run,
      examined: async () => {
        const { exitCode, stdout } = await run('doctor', 'claude-code', '--json')
        const [diagnosis] = JSON.parse(stdout) as readonly [Diagnosis]
        return { exitCode, diagnosis }
      },
    })
  })
}

const install = ['install', 'claude-code', '--until', 'npm test', '--yes'] as const

describe('given hooks of donecheck in Claude Code', () => {
  it('then the doctor proves that they block and pass', { timeout: 240_000 }, async () => {
    await withPatient(async ({ run, examined, place }) => {
      await run(...install)
      const { exitCode, diagnosis } = await examined()
      expect(diagnosis.problems).toEqual([])
      expect(exitCode).toBe(0)
      const done = diagnosis.installations.flatMap(({ trials }) =>
        trials.map(({ what, word }) => `${word} ${what}`),
      )
      expect(done).toEqual(expect.arrayContaining(['Stop holds a red check', 'Stop lets a green check go']))
      // Nothing of the trial came into the records of the person.
      expect((await place.run(['list', '--sessions'])).stdout).toContain('no sessions')
    })
  })

  it('then it says what is wrong with them', { timeout: 240_000 }, async () => {
    await withPatient(async ({ run, examined, file }) => {
      await run(...install)
      const text = await readFile(file, 'utf8')
      const broken = text
        .replace('{', '{ "disableAllHooks": true,')
        .replaceAll(/\S*donecheck\.js/g, '/nowhere/donecheck.js')
        .replace('"SessionEnd"', '"SessionFinish"')
        .replace('"timeout": 600', '"timeout": 5')
      await writeFile(file, broken)
      const { exitCode, diagnosis } = await examined()
      expect(exitCode).toBe(1)
      const said = diagnosis.problems.join('\n')
      for (const part of [
        'disableAllHooks',
        '/nowhere/donecheck.js',
        'SessionEnd',
        'timeout: 5',
        'holds a red check',
      ])
        expect(said).toContain(part)
    })
  })
})

describe('given hooks of which the settings know nothing any more', () => {
  it('then the doctor tells when they were installed, until they are taken out', async () => {
    await withPatient(async ({ run, file }) => {
      await run(...install)
      await writeFile(file, '{}')
      const lost = await run('doctor')
      expect(lost).toMatchObject({ exitCode: 1 })
      expect(lost.stdout).toMatch(
        /it was installed on \d{4}-\d\d-\d\d into .*settings\.json, which holds none/u,
      )
      await run('uninstall', 'claude-code', '--yes')
      expect((await run('doctor')).stdout).toContain('installed into no agent here')
    })
  })
})

describe('given nothing of donecheck', () => {
  it('then the doctor says how to install it', async () => {
    await withPatient(async ({ examined, run }) => {
      const { exitCode, diagnosis } = await examined()
      expect(exitCode).toBe(1)
      expect(diagnosis.problems.join('\n')).toContain('donecheck install claude-code')
      const { exitCode: nothing, stdout } = await run('doctor')
      expect(nothing).toBe(1)
      expect(stdout).toContain('(found here: claude-code).\nNext: donecheck install claude-code --until')
    })
  })

  it('then an agent that is not installed is told too', async () => {
    await withPatient(async ({ run }) => {
      const { stdout } = await run('doctor', 'codex')
      expect(stdout).toContain('there is no program codex')
    })
  })
})

describe('given a machine without git', () => {
  it('then a run is refused before it begins, and the doctor says what to type', async () => {
    await inPlace({ 'notes.txt': 'a' }, async (place) => {
      const bin = join(place.home, 'bin')
      await mkdir(bin)
      await symlink(process.execPath, join(bin, 'node'))
      const environment = { PATH: bin }
      const run = await place.run(['run', '--yes', '--agent', 'node -e 0', '--until', 'true', 'go'], {
        environment,
      })
      expect(run.exitCode).toBe(2)
      expect(run.stderr).toContain('git was not found. Install it: sudo apt install git')
      expect((await place.run(['doctor'], { environment })).stdout).toContain('sudo apt install git')
    })
  })

  it('then with it the doctor tells what is kept of the project, and for how long', async () => {
    await inPlace({ 'notes.txt': 'a' }, async (place) => {
      const { stdout } = await place.run(['doctor'], {})
      expect(stdout).toMatch(
        /Clean rooms of this project: .* MB in .*, each removed 30 days after its last use/u,
      )
      expect(stdout).toMatch(/Trees of its runs: .* MB in .*, each removed after 90 days/u)
    })
  })
})
