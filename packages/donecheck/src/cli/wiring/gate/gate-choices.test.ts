import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { regenerablePaths } from './gate.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function workFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-made-again-')))
  folders.push(folder)
  return folder
}

async function repository(files: readonly string[]): Promise<string> {
  const folder = await workFolder()
  execFileSync('git', ['init', '-q'], { cwd: folder })
  for (const file of files) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), '')
  }
  if (files.length > 0) execFileSync('git', ['add', '-f', ...files], { cwd: folder })
  return folder
}

describe('given a repository', () => {
  it.each(['dist', 'node_modules', 'web/node_modules/a', 'packages/a/dist', '.pytest_cache', 'target/x.o'])(
    'takes %s for something that is made again',
    async (path) => {
      const folder = await repository(['src/a.ts', 'packages/a/index.ts'])
      expect((await regenerablePaths(folder))(join(folder, path))).toBe(true)
    },
  )

  it('does not where git holds a file in it, also once that was forgotten', async () => {
    const folder = await repository(['build/webpack/config.js', 'lib/dist/a.js'])
    const isMadeAgain = await regenerablePaths(folder)
    execFileSync('git', ['rm', '-rq', '--cached', '.'], { cwd: folder })
    for (const path of ['build', 'build/webpack', 'lib/dist', 'lib/dist/a.js', 'lib'])
      expect(isMadeAgain(join(folder, path)), path).toBe(false)
    expect(isMadeAgain(join(folder, 'build/icons'))).toBe(true)
  })

  it.each(['.', '..', 'src', 'distribution', '../dist', '../node_modules', 'data', '.env', '.git'])(
    'does not for %s',
    async (path) => {
      const folder = await repository([])
      expect((await regenerablePaths(folder))(join(folder, path))).toBe(false)
    },
  )
})

describe('given a folder without git', () => {
  it('knows only what is unmistakable', async () => {
    const folder = await workFolder()
    const isMadeAgain = await regenerablePaths(folder)
    expect(isMadeAgain(join(folder, 'node_modules'))).toBe(true)
    expect(isMadeAgain(join(folder, 'build'))).toBe(false)
  })
})
