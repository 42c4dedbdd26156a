/** `npm run build:executable`: one file, where there is no Node and no package. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import { repositoryRoot } from '../architecture/read-tree.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'donecheck-single-'))
  const words = [join(repositoryRoot, 'scripts/executable.ts'), root]
  execFileSync(process.execPath, words, { stdio: 'pipe' })
  mkdirSync(join(root, 'bin'))
  for (const name of ['sh', 'git', 'test', 'touch', 'cat']) {
    const found = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    symlinkSync(found.startsWith('/') ? found : join('/usr/bin', name), join(root, 'bin', name))
  }
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => {
  for (const folder of ['project', 'home']) {
    rmSync(join(root, folder), { recursive: true, force: true })
    mkdirSync(join(root, folder))
  }
})

/** With a PATH on which there is no node. */
function donecheck(words: readonly string[], input = '') {
  const env = { PATH: join(root, 'bin'), HOME: join(root, 'home') }
  const options = { cwd: join(root, 'project'), env, input, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(join(root, 'donecheck'), words, options)
  return { status, text: stdout + stderr }
}

const until = ['--until', 'test -e done.txt'] as const

describe('given the single file', () => {
  it('tells its version, verifies, reads a configuration in TypeScript, runs an agent, and holds the page', () => {
    expect(donecheck(['--version'])).toEqual({ status: 0, text: `${donecheckVersion}\n` })
    expect(donecheck(['verify', ...until]).status).toBe(1)
    const configuration = `export default { until: ['test -e done.txt' satisfies string] }\n`
    writeFileSync(join(root, 'project/donecheck.config.ts'), configuration)
    expect(donecheck(['verify']).text).toContain('→ failed')
    const ran = donecheck(['run', '--agent', 'touch done.txt', 'Create done.txt.'])
    expect(ran.text).toContain('→ verified after 1 turn')
    expect(ran.status).toBe(0)
    expect(donecheck(['show', 'last']).text).toContain('turn 1')
    expect(donecheck(['show', 'last', '--html', 'run.html'])).toMatchObject({ status: 0 })
    expect(readFileSync(join(root, 'project/run.html'), 'utf8')).toContain('Create done.txt.')
  })

  it('holds an agent with hooks to the checks: its hooks are the file itself', () => {
    expect(donecheck(['install', 'claude-code', '--yes', ...until]).status).toBe(0)
    const hook = (event: string, more: object) =>
      donecheck(
        // As the settings have it: node, program, words.
        [join(root, 'donecheck'), 'hook', 'claude-code', event, '--timeout', '60'],
        JSON.stringify({
          ...{ session_id: 's', cwd: join(root, 'project'), hook_event_name: event },
          ...more,
        }),
      ).text
    const claim = { stop_hook_active: false, last_assistant_message: 'Done.', background_tasks: [] }
    hook('UserPromptSubmit', { prompt: 'Create done.txt.' })
    expect(hook('Stop', claim)).toContain('"decision":"block"')
    writeFileSync(join(root, 'project/done.txt'), '')
    expect(hook('Stop', claim)).toContain('donecheck: verified')
  })
})
