import { access, constants, lstat, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, sep } from 'node:path'
import type { SandboxDescription } from '@donecheck/core/internal/events'
import { given, messageOf } from '../../base/index.ts'
import type { Sandbox, SandboxedCommand, SandboxRequest } from '../../ports/gate.ts'
import { runProcess, showExcerpt } from '../process/index.ts'
import { confinedEnvironment, type SandboxOptions, type SandboxTrial, unusable } from './sandbox-options.ts'
import { isWithin, type Mount, mountPlan } from './mount-plan.ts'
import { listeningSockets, realPath, survey, type Survey } from './survey.ts'

/**
 * Linux namespaces by `bwrap` (about 10 ms): writable work folder and private `/tmp`, no network, the rest
 * read-only or hidden.
 * @throws {UsageError} for a missing folder
 */
export async function bubblewrap(options: SandboxOptions): Promise<SandboxTrial> {
  if (process.platform !== 'linux') return unusable('bubblewrap works on Linux only')
  const first = await survey(options)
  const writable = first === undefined ? [] : [first.ground.workFolder, ...first.ground.writable]
  const found = await findBubblewrap((options.environment ?? process.env)['PATH'] ?? '', writable)
  return 'problem' in found
    ? unusable(found.problem)
    : { kind: 'works', sandbox: sandboxOf(options, found, first) }
}

function sandboxOf(options: SandboxOptions, found: Bubblewrap, first: Survey | undefined): Sandbox {
  let surveyed = first
  const description = describe(options, found)
  return {
    description,
    async confine(request) {
      try {
        surveyed ??= await survey(options)
        if (surveyed === undefined)
          return { kind: 'unavailable', problem: `the work folder ${options.workFolder} does not exist` }
        return await confine(request, surveyed, description, found)
      } catch (error) {
        return { kind: 'unavailable', problem: messageOf(error) }
      }
    },
  }
}

async function confine(
  request: SandboxRequest,
  { ground, absent }: Survey,
  { network }: Pick<SandboxDescription, 'network'>,
  found: Bubblewrap,
): Promise<SandboxedCommand> {
  const problem = await findProblem(request, ground.workFolder)
  if (problem !== undefined) return { kind: 'unavailable', problem }
  const sockets = await listeningSockets()
  const missing = await firstMissing(absent)
  const words = bubblewrapWords({
    ...found,
    network,
    mounts: mountPlan({ ...ground, denied: [...ground.denied, ...sockets] }),
    ...given({ givenTemporary: ground.givenTemporary }),
    links: await hiddenLinks(request.folder, ground.temporaryFolders),
    folder: request.folder,
    words: request.words,
  })
  return {
    kind: 'ready',
    words,
    environment: { ...confinedEnvironment(request.environment), ...ownVariables },
    ...(missing.length === 0 ? {} : { release: () => removeAll(missing) }),
  }
}

/** Caches that programs need but could not write in place. */
const ownVariables = { TMPDIR: '/tmp', GOCACHE: '/tmp/go-build' } as const

function describe(options: SandboxOptions, found: Bubblewrap): SandboxDescription {
  const network = options.network ?? 'off'
  const folders = [options.workFolder, ...(options.writableFolders ?? [])].join(', ')
  const hole = found.disablesNamespaces
    ? ''
    : '; this version cannot keep a process from making namespaces of its own'
  const reach = network === 'off' ? 'no network' : 'WITH the network'
  return {
    driver: 'bubblewrap',
    isConfined: true,
    network,
    summary: `commands write only in ${folders} and a private /tmp, ${reach} (bubblewrap ${found.version}${hole})`,
  }
}

/** The work folder may have been moved or replaced. */
async function findProblem({ folder }: SandboxRequest, workFolder: string): Promise<string | undefined> {
  if ((await realPath(workFolder)) !== workFolder)
    return `the work folder ${workFolder} is not there any more`
  const found = await stat(folder).catch(() => undefined)
  return found?.isDirectory() === true ? undefined : `the folder ${folder} does not exist`
}

async function firstMissing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)))
  return paths.filter((_, index) => found[index] === undefined)
}

async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })))
}

/** Links in `/tmp` to a visible folder, recreated in the private one. */
async function hiddenLinks(
  folder: string,
  hidden: readonly string[],
): Promise<readonly { readonly path: string; readonly target: string }[]> {
  if (!hidden.some((place) => isWithin(place, folder))) return []
  const parts = folder.split(sep)
  for (const [index] of parts.entries()) {
    const path = parts.slice(0, index + 1).join(sep)
    const target = path === '' ? undefined : await realPath(path)
    const isLink =
      target !== undefined && target !== path && (await realPath(dirname(path))) === dirname(path)
    if (isLink) return [{ path, target }]
  }
  return []
}

interface BubblewrapCommand {
  readonly program: string
  readonly network: 'off' | 'on'
  /** False if this bubblewrap cannot forbid nested namespaces. */
  readonly disablesNamespaces: boolean
  readonly mounts: readonly Mount[]
  readonly givenTemporary?: string
  /** Symlinks to the folder from hidden folders. */
  readonly links: readonly { readonly path: string; readonly target: string }[]
  readonly folder: string
  readonly words: readonly string[]
}

/** `/proc` is read-only: root could set a kernel program that runs outside. Drops all capabilities. */
export function bubblewrapWords(command: BubblewrapCommand): readonly [string, ...string[]] {
  const [root, ...others] =
    command.mounts[0]?.path === '/'
      ? command.mounts
      : [{ path: '/', kind: 'read-only' as const }, ...command.mounts]
  const empty = others.filter(({ kind }) => kind === 'empty').map(({ path }) => path)
  return [
    command.program,
    ...isolation(command),
    ...(root === undefined ? [] : wordsOf(root, command)),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...others.flatMap((mount) => wordsOf(mount, command)),
    ...command.links.flatMap(({ path, target }) => ['--dir', dirname(path), '--symlink', target, path]),
    ...[...empty, '/proc'].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', command.folder, '--', ...command.words],
  ]
}

function isolation({ network, disablesNamespaces }: BubblewrapCommand): readonly string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'off' ? ['--unshare-net'] : []),
    ...(disablesNamespaces ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
  ]
}

function wordsOf({ path, kind }: Mount, { givenTemporary = path }: BubblewrapCommand): readonly string[] {
  switch (kind) {
    case 'writable':
      return ['--bind', path, path]
    case 'read-only':
      return ['--ro-bind', path, path]
    case 'temporary':
      return ['--perms', '1777', '--tmpfs', path]
    case 'given-temporary':
      return ['--bind', givenTemporary, path]
    case 'empty':
      return ['--tmpfs', path]
    // Devices do not work on this mount, so opening fails with a permission error.
    case 'denied':
      return ['--ro-bind', '/dev/null', path]
  }
}

interface Bubblewrap {
  readonly program: string
  readonly version: string
  readonly disablesNamespaces: boolean
}

const tryMs = 10_000

/** Finds it on `path` and tries it, unless the agent could write it. @returns a sentence if unusable */
async function findBubblewrap(
  path: string,
  writable: readonly string[],
): Promise<Bubblewrap | { readonly problem: string }> {
  const program = await findProgram('bwrap', path, writable)
  if (program === undefined) return { problem: 'there is no program "bwrap"; install the package bubblewrap' }
  const reported = await run([program, '--version'])
  const version = /(\d+(?:\.\d+)+)/.exec(reported.output)?.[1]
  if (reported.exitCode !== 0 || version === undefined)
    return { problem: `${program} --version does not tell a version` }
  const strict = await run(trial(program, true))
  if (strict.exitCode === 0) return { program, version, disablesNamespaces: true }
  const lax = await run(trial(program, false))
  if (lax.exitCode === 0) return { program, version, disablesNamespaces: false }
  return { problem: `bubblewrap ${version} does not work here: ${explainOutput(lax.output)}` }
}

async function findProgram(
  name: string,
  path: string,
  writable: readonly string[],
): Promise<string | undefined> {
  for (const folder of path.split(':').filter(isAbsolute)) {
    const program = await realPath(join(folder, name))
    if (program === undefined || writable.some((place) => isWithin(place, program))) continue
    const isExecutable = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return program
  }
  return undefined
}

function trial(program: string, disablesNamespaces: boolean): readonly [string, ...string[]] {
  const mounts = [{ path: '/tmp', kind: 'temporary' as const }]
  const command = { program, network: 'off' as const, disablesNamespaces, mounts, links: [], folder: '/' }
  return bubblewrapWords({ ...command, words: ['true'] })
}

async function run(words: readonly [string, ...string[]]): Promise<{ exitCode: number; output: string }> {
  const { end, output } = await runProcess({
    command: { words },
    folder: '/',
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin' },
    timeoutMs: tryMs,
    signal: new AbortController().signal,
    headBytes: 1024,
    tailBytes: 1024,
    keepBytes: 0,
  })
  return { exitCode: end.kind === 'exited' ? end.exitCode : -1, output: showExcerpt(output).trim() }
}

function explainOutput(output: string): string {
  const said = output === '' ? 'it says nothing' : (output.split('\n').at(-1) ?? output)
  const isRefused = /namespace|uid map|Operation not permitted|Permission denied/i.test(output)
  return isRefused ? `${said}; user namespaces are not allowed here` : said
}
