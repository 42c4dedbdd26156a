/** The real `@anthropic-ai/sandbox-runtime` behind our port, where it lies beside the other peers. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { sandboxRuntime } from '@donecheck/engine/internal/system/sandbox'
import { agentsFolder } from './kit/agents.ts'

const library = join(agentsFolder(), 'node_modules/@anthropic-ai/sandbox-runtime/dist/index.js')
const script = fileURLToPath(new URL('sandbox-runtime-attempt.ts', import.meta.url))
const isRoot = process.getuid?.() === 0
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}

const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-runtime-')))
const [work, home] = [join(base, 'work'), join(base, 'home')]
for (const folder of [work, join(home, '.ssh')]) mkdirSync(folder, { recursive: true })
writeFileSync(join(home, '.ssh/id_rsa'), 'this-is-a-secret')
writeFileSync(join(base, 'file'), 'untouched')
writeFileSync(join(work, 'check.sh'), 'exit 1')
for (const path of ['.', 'file', 'work', 'work/check.sh', 'home', 'home/.ssh', 'home/.ssh/id_rsa'])
  chmodSync(join(base, path), 0o777)
afterAll(() => rmSync(base, { recursive: true, force: true }))

function attempt(
  command: string,
): { readonly end: unknown; readonly output: string } | { readonly problem: string } {
  const words = [script, library, work, home, command]
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    ...nobody,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home },
  })
  try {
    return JSON.parse(stdout) as { end: unknown; output: string }
  } catch {
    return { problem: /^\w*Error: .*$/m.exec(stderr)?.[0] ?? 'it cannot be started as another user' }
  }
}

const first = existsSync(library) ? attempt('true') : { problem: `there is no ${library}` }
const why = 'problem' in first ? first.problem : undefined

describe.skipIf(why !== undefined)(
  `given the library${why === undefined ? '' : ` (skipped: ${why})`}`,
  () => {
    it.each([
      ['write outside', 'echo x > ../file', /Read-only|Permission|cannot create/],
      ['read a denied file', 'cat ~/.ssh/id_rsa', /No such file|Permission/],
      ['change what is protected', 'echo exit 0 > check.sh', /Read-only|Permission|cannot create/],
      ['find a secret in the environment', 'env | grep SERVICE', /^$/],
      ['have a network', "grep -v -e lo: -e '|' /proc/net/dev", /^$/],
    ])('a command cannot %s', (_, command, said) => {
      const result = attempt(command)
      expect(result).toMatchObject({ output: expect.stringMatching(said) as string })
      expect(result).not.toMatchObject({ end: { kind: 'exited', exitCode: 0 } })
      expect(JSON.stringify(result)).not.toContain('this-is-a-secret')
      expect(readFileSync(join(base, 'file'), 'utf8')).toBe('untouched')
      expect(readFileSync(join(work, 'check.sh'), 'utf8')).toBe('exit 1')
    })

    it('it works in the work folder and in a temporary one, and its exit code comes through', () => {
      const result = attempt('echo a > a && cat a && echo b > "$TMPDIR/b" && cat "$TMPDIR/b"; exit 7')
      expect(result).toEqual({ end: { kind: 'exited', exitCode: 7 }, output: 'a\nb\n' })
    })

    it.skipIf(!isRoot)(
      'root is refused: the library leaves the settings of the kernel open to it (runs as root only)',
      async () => {
        const load = async (): Promise<unknown> => import(pathToFileURL(library).href)
        expect(await sandboxRuntime({ workFolder: work, load })).toMatchObject({
          ...{ kind: 'unusable', problem: expect.stringContaining('settings of the kernel') as string },
        })
      },
    )
  },
)
