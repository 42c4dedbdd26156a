import { lstat, rm, stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import type { Sandbox, SandboxedCommand, SandboxRequest } from '../../ports/gate.ts'
import type { SandboxDescription } from '@donecheck/core/events'
import { bubblewrapWords } from './bubblewrap-words.ts'
import { checkVariables, confinedEnvironment } from './environment.ts'
import { findBubblewrap, type Bubblewrap } from './find-bubblewrap.ts'
import { watchTree } from './left-behind.ts'
import { mountPlan } from './mount-plan.ts'
import { isWithin, realPath } from './real-path.ts'
import { unusable, type SandboxOptions, type SandboxTrial, sandboxKeys } from './sandbox-options.ts'
import { survey, type Survey } from './survey.ts'
import { listeningSockets } from './unix-sockets.ts'
import { assertKnownKeys, messageOf, given } from '../../base/index.ts'

/**
 * Linux namespaces through the program `bwrap`, in about ten milliseconds: the work folder and a private `/tmp` are
 * writable, the rest is read-only or hidden, there is no network, and all processes end with the first one.
 * @throws {UsageError} for a folder that does not exist, or a variable that looks like a secret
 */
export async function bubblewrap(options: SandboxOptions): Promise<SandboxTrial> {
  assertKnownKeys(options, sandboxKeys, 'bubblewrap')
  checkVariables(options.variables ?? [])
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
        return await confine(
          request,
          surveyed,
          { ...description, ...given({ variables: options.variables }) },
          found,
        )
      } catch (error) {
        return { kind: 'unavailable', problem: messageOf(error) }
      }
    },
  }
}

async function confine(
  request: SandboxRequest,
  { ground, absent, watched }: Survey,
  { network, variables }: Pick<SandboxDescription, 'network'> & Pick<SandboxOptions, 'variables'>,
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
    environment: { ...confinedEnvironment(request.environment, variables), ...ownVariables },
    inspect: await watchTree(watched),
    ...(missing.length === 0 ? {} : { release: () => removeAll(missing) }),
  }
}

/** Caches that cannot be written where they are, and without which the program does not work. */
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

/** The work folder may have been moved away or replaced since it was looked at. */
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

/** A folder that was named through a link in `/tmp` is found by that name in the private one too. */
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
