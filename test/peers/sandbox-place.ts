/** A work folder, what lies around it, and commands run in a real sandbox. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { copyFile, link, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProcess, showExcerpt, type ProcessEnd } from '@donecheck/engine/internal/system/process'
import { bubblewrap, type SandboxOptions } from '@donecheck/engine/internal/system/sandbox'
import type { Sandbox } from '@donecheck/engine/internal/ports/gate'

const repository = fileURLToPath(new URL('../..', import.meta.url))
export const secret = 'this-is-a-secret'

const trial = await bubblewrap({ workFolder: tmpdir() })
/** Why the tests of this file are skipped; undefined: bubblewrap works here. */
export const whyNoBubblewrap = trial.kind === 'works' ? undefined : trial.problem
export const skipNote = whyNoBubblewrap === undefined ? '' : ` (skipped: ${whyNoBubblewrap})`

export interface Ended {
  readonly end: ProcessEnd
  readonly output: string
}

export interface Place {
  /** All of it: the work folder, `outside` and `home` lie in it. Not in `/tmp`, which is another one inside. */
  readonly base: string
  readonly work: string
  readonly outside: string
  readonly home: string
  /** A program that can run scripts inside, wherever this checkout lies. */
  readonly node: string
  /** In the sandbox. `$OUT`, `$WORK` and `$HOME` are the folders; `$NODE` runs scripts. */
  readonly run: (command: string, options?: Partial<SandboxOptions>) => Promise<Ended>
  /** The same without a sandbox: what the attack does to somebody who has none. */
  readonly runBare: (command: string) => Promise<Ended>
  readonly sandbox: (options?: Partial<SandboxOptions>) => Promise<Sandbox>
  /** A process outside with a secret in its environment and an open file. */
  readonly bystander: () => Promise<ChildProcess>
}

export async function inPlace<Value>(work: (place: Place) => Promise<Value>): Promise<Value> {
  const base = await realpath(await mkdtemp(join(await folderOutsideOfTmp(), '.sandbox-')))
  const started: ChildProcess[] = []
  try {
    return await work(await makePlace(base, started))
  } finally {
    for (const child of started) child.kill('SIGKILL')
    await rm(base, { recursive: true, force: true })
  }
}

/** In this checkout, or in the account's own home where the checkout itself lies in `/tmp`. */
async function folderOutsideOfTmp(): Promise<string> {
  const modules = join(repository, 'node_modules')
  await mkdir(modules, { recursive: true })
  return (await realpath(modules)).startsWith('/tmp/') ? userInfo().homedir : modules
}

async function makePlace(base: string, started: ChildProcess[]): Promise<Place> {
  const folders = { work: join(base, 'work'), outside: join(base, 'outside'), home: join(base, 'home') }
  const files = {
    [join(folders.outside, 'file')]: 'untouched',
    [join(folders.home, '.ssh/id_rsa')]: secret,
    [join(folders.home, '.npmrc')]: secret,
    [join(folders.work, 'a.txt')]: 'one\n',
    [join(folders.work, 'scripts/deep/check.sh')]: 'exit 1\n',
  }
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  const node = join(folders.work, 'node-program')
  const program = await realpath(process.execPath)
  await link(program, node).catch(() => copyFile(program, node))
  const environment = {
    PATH: process.env['PATH'] ?? '',
    ...{ HOME: folders.home, LC_OUT: folders.outside, LC_WORK: folders.work, NODE_PROGRAM: node },
    ...{ SERVICE_API_KEY: secret, GITHUB_TOKEN: secret, NODE_AUTH_TOKEN: secret, UNKNOWN: secret },
  }
  const sandbox = async (options: Partial<SandboxOptions> = {}) => {
    const made = await bubblewrap({ workFolder: folders.work, homeFolder: folders.home, ...options })
    if (made.kind === 'unusable') throw new Error(made.problem)
    return made.sandbox
  }
  return {
    base,
    ...folders,
    node,
    sandbox,
    run: async (command, options) =>
      runIn(await sandbox(options), options?.workFolder ?? folders.work, command, environment),
    runBare: (command) => runIn(undefined, folders.work, command, environment),
    async bystander() {
      const child = spawn('sh', ['-c', 'exec 3< "$HOME/.ssh/id_rsa"; echo up; exec sleep 1000'], {
        env: environment,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      started.push(child)
      await new Promise((resolve) => child.stdout.once('data', resolve))
      return child
    },
  }
}

const preamble = 'OUT=$LC_OUT WORK=$LC_WORK NODE=$NODE_PROGRAM; '

export async function runIn(
  sandbox: Sandbox | undefined,
  folder: string,
  command: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const words = ['sh', '-c', preamble + command] as const
  const ready = (await sandbox?.confine({ words, folder, environment })) ?? {
    kind: 'ready' as const,
    words,
    environment,
  }
  if (ready.kind === 'unavailable') throw new Error(ready.problem)
  const { end, output } = await runProcess({
    command: { words: ready.words },
    folder,
    environment: ready.environment,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    headBytes: 64 * 1024,
    tailBytes: 64 * 1024,
    keepBytes: 0,
  })
  await ready.release?.()
  return { end, output: showExcerpt(output) }
}

export function git(folder: string, ...words: readonly string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main']
  return execFileSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8' })
}

export function textOf(...parts: readonly string[]): Promise<string> {
  return readFile(join(...parts), 'utf8')
}
