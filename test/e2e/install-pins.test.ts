/** What install pins and where it writes: shown, refused, or taken back as a whole. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSettings } from './settings-of-claude-code.ts'

const settings = `{
    // of a person
    "model": "opus",
}
`
const words = ['install', 'claude-code', '--until', 'npm test', '--yes'] as const
const contentOf = (file: string) => readFile(file, 'utf8')

describe('given a check', () => {
  it('that hides its own failure, then it is refused with the way out, and nothing is changed', async () => {
    await withSettings(settings, async ({ run, file, home }) => {
      const refused = await run(['install', 'claude-code', '--until', 'npm test || true', '--yes'])
      expect(refused).toMatchObject({ exitCode: 2 })
      expect(refused.stderr).toContain("use a command that ends with the check's own exit code")
      expect(await contentOf(file)).toBe(settings)
      expect(existsSync(join(home, '.local'))).toBe(false)
    })
  })

  it('that takes the place of another one, then both are shown, and nothing is pinned without a yes', async () => {
    await withSettings(undefined, async ({ run }) => {
      await run(words)
      const other = ['install', 'claude-code', '--until', 'npm run lint']
      const asked = await run(other)
      expect(asked).toMatchObject({ exitCode: 2 })
      expect(asked.stdout).toContain('is red: npm run lint (no longer npm test)\n')
      expect((await run(['install', 'claude-code', '--yes'])).stdout).toContain('is red: npm test\n')
      expect((await run([...other, '--yes'])).stdout).toContain('is red: npm run lint (no longer npm test)\n')
    })
  })
})

describe('given files that cannot be written', () => {
  it('then the file and the way out are named, and nothing is half done', async () => {
    await withSettings(settings, async ({ run, write, file, home }) => {
      const state = join(home, '.local', 'state', 'donecheck')
      await mkdir(state, { recursive: true })
      // Whoever runs the tests may be allowed to write anywhere; a folder in a file nobody can make.
      await writeFile(join(state, 'installed'), 'no folder')
      await write('package.json', '{}')
      const refused = await run(words)
      expect(refused).toMatchObject({ exitCode: 2 })
      expect(refused.stderr).toMatch(/installed.*is no folder.*; nothing was changed/u)
      expect(refused.stderr).not.toContain('    at ')
      expect(await contentOf(file)).toBe(settings)
      expect(await readdir(state)).toEqual(['installed'])
    })
  })

  it('then settings that lead to a device leave the device alone', async () => {
    await withSettings('', async ({ run, file }) => {
      await rm(file)
      await symlink('/dev/null', file)
      const refused = await run(words)
      expect(refused).toMatchObject({ exitCode: 2 })
      expect(refused.stderr).toContain('no regular file')
      expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
    })
  })
})

describe('given settings of an unusual form', () => {
  const forms = [
    ['nothing', ''],
    ['an empty line', '\n'],
    ['an empty object', '{}'],
    ['a mark of the byte order', '\uFEFF{ "theme": "dark" }\n'],
    ['lines that end as on Windows', '{\r\n\t"theme": "dark"\r\n}\r\n'],
    ['comments alone', '// nothing yet\n{\n  // here either\n}\n'],
    ['an empty list of hooks', '{ "hooks": { "Stop": [] } }'],
  ] as const

  it.each(forms)('%s, then it is the same to the byte when the hooks are gone', async (_name, text) => {
    await withSettings(text, async ({ run, file }) => {
      const installed = await run(words)
      expect(installed, installed.stderr).toMatchObject({ exitCode: 0 })
      expect(await contentOf(file)).toContain('hook claude-code Stop')
      await run(['uninstall', 'claude-code', '--yes'])
      expect(await contentOf(file)).toBe(text)
    })
  })

  it('a file of Copilot with nothing in it, then it is that again', async () => {
    await withSettings(undefined, async ({ run, home }) => {
      const file = join(home, '.copilot', 'hooks', 'donecheck.json')
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, '')
      await run(['install', 'copilot', '--until', 'npm test', '--yes'])
      expect(await contentOf(file)).toContain('hook copilot agentStop')
      await run(['uninstall', 'copilot', '--yes'])
      expect(await contentOf(file)).toBe('')
    })
  })
})
