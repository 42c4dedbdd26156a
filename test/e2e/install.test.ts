/** Hooks in the settings of agents: put in and taken out again without a trace, and nothing of others lost. */
import { chmod, lstat, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'
import { withSettings } from './settings-of-claude-code.ts'

const settings = `{
    // of a person
    "model": "opus",
    "hooks": {
        "Stop": [{ "hooks": [{ "type": "command", "command": "./mine.sh" }] }], // stays
    },
}
`
const words = ['install', 'claude-code', '--until', 'npm test', '--yes'] as const

const contentOf = (file: string) => readFile(file, 'utf8')

describe('given settings of a person', () => {
  it('then hooks come in beside what stands there, and go without a trace', async () => {
    await withSettings(settings, async ({ run, file }) => {
      await chmod(file, 0o640)
      const installed = await run(words)
      expect(installed, installed.stderr).toMatchObject({ exitCode: 0 })
      expect(installed.stdout).toContain(`  changed  ${file}`)
      const text = await contentOf(file)
      for (const line of settings.split('\n').filter((one) => !one.includes('stays')))
        expect(text).toContain(line)
      expect(text).toContain('"Stop": [{ "hooks": [{ "type": "command", "command": "./mine.sh" }] },')
      expect(text).toContain('// stays')
      expect((await stat(file)).mode & 0o777).toBe(0o640)

      const again = await run(words)
      expect(again.stdout).toContain('already')
      expect(await contentOf(file)).toBe(text)

      const gone = await run(['uninstall', 'claude-code', '--yes'])
      expect(gone.stdout).toContain('to the byte')
      expect(await contentOf(file)).toBe(settings)
      expect((await stat(file)).mode & 0o777).toBe(0o640)
    })
  })

  it('then what others write meanwhile stays', async () => {
    await withSettings(settings, async ({ run, file }) => {
      await run(words)
      await writeFile(file, (await contentOf(file)).replace('"opus"', '"sonnet"'))
      const gone = await run(['uninstall', 'claude-code', '--yes'])
      expect(gone.stdout).toContain('keeps what they wrote')
      const text = await contentOf(file)
      expect(text).toContain('"sonnet"')
      expect(text).toContain('./mine.sh')
      expect(text).not.toContain('donecheck')
    })
  })

  it('then nothing is changed without a yes, nor by a look', async () => {
    await withSettings(settings, async ({ run, file }) => {
      const asked = await run(words.filter((word) => word !== '--yes'))
      expect(asked).toMatchObject({ exitCode: 2 })
      expect(asked.stderr).toContain('--yes')
      expect(asked.stdout).toContain('they are called in every project')
      expect(asked.stdout).not.toContain('donecheck.js hook')
      const looked = await run([...words, '--dry-run'])
      expect(looked.exitCode).toBe(0)
      expect(looked.stdout).toContain('donecheck.js hook claude-code Stop')
      expect(await contentOf(file)).toBe(settings)
    })
  })

  it('then what cannot be read is left alone', async () => {
    await withSettings('{ "hooks": {', async ({ run, file }) => {
      const refused = await run(words)
      expect(refused).toMatchObject({ exitCode: 2 })
      expect(refused.stderr).toContain('nothing was changed')
      expect(await contentOf(file)).toBe('{ "hooks": {')
    })
  })

  it('then a link to settings that are kept elsewhere stays a link', async () => {
    await withSettings(settings, async ({ run, file, home }) => {
      const kept = join(home, 'dotfiles.json')
      await rename(file, kept)
      await symlink(kept, file)
      await run(words)
      expect((await lstat(file)).isSymbolicLink()).toBe(true)
      expect(await contentOf(kept)).toContain('donecheck')
      await run(['uninstall', 'claude-code', '--yes'])
      expect((await lstat(file)).isSymbolicLink()).toBe(true)
      expect(await contentOf(kept)).toBe(settings)
    })
  })

  it('then a project without a check is told how to name one', async () => {
    await withSettings(settings, async ({ run, file }) => {
      const refused = await run(['install', 'claude-code', '--yes'])
      expect(refused).toMatchObject({ exitCode: 2 })
      expect(refused.stderr).toContain('--until')
      expect(await contentOf(file)).toBe(settings)
    })
  })
})

describe.each(['claude-code', 'gemini', 'qwen', 'copilot', 'cursor'])('given no settings of %s', (agent) => {
  it.each(['user', 'project'])('then the file of the %s is made, and goes with its folder', async (scope) => {
    await withSettings(undefined, async ({ run, home, folder }) => {
      const installed = await run(['install', agent, '--scope', scope, '--until', 'npm test', '--yes'])
      expect(installed, installed.stderr).toMatchObject({ exitCode: 0 })
      const file = /^ {2}new {2}(.*)$/m.exec(installed.stdout)?.[1] ?? ''
      expect(file.startsWith(scope === 'user' ? home : folder)).toBe(true)
      expect(await contentOf(file)).toContain(`hook ${agent} `)
      const again = await run(['install', agent, '--scope', scope, '--yes'])
      expect(again.stdout).toContain('already')
      await run(['uninstall', agent, '--yes'])
      expect(existsSync(file)).toBe(false)
      expect(existsSync(join(scope === 'user' ? home : folder, file.split('/').at(-2) ?? ''))).toBe(false)
    })
  })
})

describe('given an agent that means to get rid of what holds it', () => {
  it.each(['CLAUDECODE', 'GEMINI_CLI'])(
    'then it cannot install or uninstall with %s around it',
    async (mark) => {
      await inPlace({}, async (place) => {
        const within = { environment: { [mark]: '1' } }
        await place.run(words)
        for (const tried of [
          ['install', 'claude-code', '--until', 'test -d .', '--yes'],
          ['uninstall', 'claude-code', '--yes'],
        ]) {
          const refused = await place.run(tried, within)
          expect(refused).toMatchObject({ exitCode: 2 })
          expect(refused.stderr).toContain(mark)
        }
        expect((await place.run(['uninstall', 'claude-code', '--yes'])).stdout).toContain('taken out')
      })
    },
  )

  it('then a forged original is not written as the settings', async () => {
    await withSettings(settings, async ({ run, file, home }) => {
      await run(words)
      const folder = join(home, '.local', 'state', 'donecheck', 'installed')
      const [name = ''] = await readdir(folder)
      const record: unknown = JSON.parse(await contentOf(join(folder, name)))
      const original = Buffer.from('{ "model": "forged" }').toString('base64')
      await writeFile(join(folder, name), JSON.stringify(Object.assign({}, record, { original })))
      await run(['uninstall', 'claude-code', '--yes'])
      const text = await contentOf(file)
      expect(text).toContain('./mine.sh')
      expect(text).not.toContain('forged')
    })
  })

  it('then settings that became a link stay one', async () => {
    await withSettings(undefined, async ({ run, file, home }) => {
      await run(words)
      await rename(file, join(home, 'kept.json'))
      await symlink(join(home, 'kept.json'), file)
      await run(['uninstall', 'claude-code', '--yes'])
      expect((await lstat(file)).isSymbolicLink()).toBe(true)
      expect(await contentOf(file)).not.toContain('donecheck')
    })
  })
})

it('an agent that nobody knows is told apart from those that are', async () => {
  await withSettings(undefined, async ({ run }) => {
    const refused = await run(['install', 'codx', '--until', 'test -d .', '--yes'])
    expect(refused).toMatchObject({ exitCode: 2 })
    expect(refused.stderr).toContain('did you mean "codex"')
  })
})

it('whoever installs into a project is told what the agent can write to', async () => {
  await withSettings(undefined, async ({ run, write }) => {
    await write('check.sh', 'exit 1\n')
    const installed = await run([
      'install',
      'gemini',
      '--scope',
      'project',
      '--until',
      'sh ./check.sh',
      '--yes',
    ])
    expect(installed.stderr).toContain('./check.sh')
    expect(installed.stderr).toContain('the settings lie in the project')
  })
})
