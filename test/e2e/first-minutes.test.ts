/** What somebody meets first: the command alone, `init`, the first run. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstRun } from '../../bench/first-run.ts'
import { inPlace, type Place } from './donecheck.ts'

const project = { 'package.json': JSON.stringify({ scripts: { test: 'node --test', lint: 'eslint .' } }) }
const claude = '#!/bin/sh\necho "2.1.330 (Claude Code)"\n'

/** With an agent that is called claude. What is run without options has the same environment. */
async function inProject(work: (place: Place, environment: Record<string, string>) => Promise<void>) {
  await inPlace({ ...project, '../bin/claude': claude }, async (place) => {
    const tools = join(place.folder, '../bin')
    execFileSync('chmod', ['+x', join(tools, 'claude')])
    execFileSync('git', ['init', '--quiet'], { cwd: place.folder })
    const environment = { PATH: [tools, process.env['PATH'] ?? ''].join(delimiter) }
    const run: Place['run'] = (words, options = { environment, inProcess: true }) => place.run(words, options)
    await work({ ...place, run }, environment)
  })
}

describe('given a project without configuration', () => {
  it('then the command alone tells what is there, and what can be typed', async () => {
    await inProject(async (place) => {
      const { exitCode, stderr } = await place.run([])
      expect(exitCode).toBe(2)
      expect(stderr).toContain('✓ tests: npm test')
      expect(stderr).toContain('✓ claude: Claude Code 2.1.330')
      expect(stderr).toContain('donecheck run --agent claude "Fix the failing test."')
    })
  })

  it('when it is set up without asking, then a small file says so, and nothing else is written', async () => {
    await inProject(async (place) => {
      const { exitCode, stdout } = await place.run(['init', '--yes'])
      expect(exitCode).toBe(0)
      expect(stdout).toContain('donecheck.config.json  (to take it back: delete it)')
      const config: unknown = JSON.parse(readFileSync(join(place.folder, 'donecheck.config.json'), 'utf8'))
      expect(config).toEqual({ presets: ['tests', 'lint'], agent: 'claude' })
      expect(existsSync(join(place.folder, '.github'))).toBe(false)
      const before = readFileSync(join(place.folder, 'donecheck.config.json'), 'utf8')
      const again = await place.run(['init', '--yes', '--until', 'true'])
      expect(again.stdout).toContain('donecheck.config.json stays as it is')
      expect(readFileSync(join(place.folder, 'donecheck.config.json'), 'utf8')).toBe(before)
    })
  })

  it('when more is asked for, then a hook of git and a workflow are written, and others stay', async () => {
    await inProject(async (place) => {
      const words = ['init', '--yes', '--pre-push', '--ci', '--until', 'node --test']
      const dry = await place.run([...words, '--dry-run'])
      expect(dry.stdout).toContain('exec donecheck verify')
      expect(existsSync(join(place.folder, 'donecheck.config.json'))).toBe(false)
      expect((await place.run(words)).exitCode).toBe(0)
      const hook = join(place.folder, '.git/hooks/pre-push')
      expect(statSync(hook).mode & 0o111).toBe(0o111)
      const workflow = readFileSync(join(place.folder, '.github/workflows/donecheck.yml'), 'utf8')
      expect(workflow).toContain('uses: donecheck/donecheck@v')
      const again = await place.run(words)
      expect(again.exitCode).toBe(2)
      expect(again.stderr).toContain('.git/hooks/pre-push is there already')
    })
  })

  it('when nobody can be asked, then nothing is written', async () => {
    await inProject(async (place) => {
      const { exitCode, stderr } = await place.run(['init'])
      expect(exitCode).toBe(2)
      expect(stderr).toContain('--yes')
      expect(existsSync(join(place.folder, 'donecheck.config.json'))).toBe(false)
    })
  })
})

it('given a fresh clone, then the first verified run takes one command, and no configuration', () => {
  const { commands, exitCode, configurationLines, end } = firstRun()
  expect(end).toContain('verified after 2 turns')
  expect({ exitCode, configurationLines, typed: commands.length }).toEqual({
    exitCode: 0,
    configurationLines: 0,
    typed: 1,
  })
})
