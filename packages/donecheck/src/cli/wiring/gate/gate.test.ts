import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Config } from '../../../config/index.ts'
import { sandboxFor, choicesWith } from './gate.ts'
import type { CliIo } from '../../process/io.ts'

const isConfinedHere =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function project(): Promise<{ readonly folder: string; readonly io: CliIo }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-cli-gate-')))
  folders.push(base)
  const folder = join(base, 'project')
  await mkdir(join(folder, '.donecheck/rules'), { recursive: true })
  await writeFile(join(folder, 'donecheck.config.json'), '{}')
  await writeFile(join(folder, '.donecheck/rules/own.rules'), '')
  await writeFile(join(folder, 'check.sh'), '')
  const { stdin, stdout, stderr, env: environment } = process
  return { folder, io: { stdin, stdout, stderr, environment, currentFolder: folder, homeFolder: base } }
}

describe.skipIf(!isConfinedHere)('given a sandbox of the command (needs a bubblewrap that works)', () => {
  const outcome = async (script: string): Promise<string> => {
    const { folder, io } = await project()
    const config: Config = { sandbox: 'bubblewrap', until: [{ command: 'sh check.sh' }] }
    const sandbox = await sandboxFor(config, folder, join(folder, '../store'), io)
    const made = await sandbox.confine({
      words: ['sh', '-c', script],
      folder,
      environment: { PATH: '/usr/bin:/bin' },
    })
    if (made.kind !== 'ready') return made.problem
    const [program, ...args] = made.words
    return spawnSync(program, args, { env: made.environment, encoding: 'utf8' }).stderr
  }

  it.each(['donecheck.config.json', '.donecheck/rules/own.rules', '.donecheck/rules/new.rules', 'check.sh'])(
    'keeps what later runs go by as it is: %s',
    async (path) => {
      expect(await outcome(`echo x > ${path}`)).toContain('Read-only file system')
    },
  )

  it('leaves the rest to the agent', async () => {
    expect(await outcome('echo x > donecheck.md')).toBe('')
  })
})

describe('given the gate of the command', () => {
  it('knows folders that can be made again', async () => {
    const { folder, io } = await project()
    const { canBeMadeAgain } = await choicesWith([], {}, folder, io)
    expect(canBeMadeAgain?.(join(folder, 'node_modules'))).toBe(true)
    expect(canBeMadeAgain?.(join(folder, 'src'))).toBe(false)
  })
})
