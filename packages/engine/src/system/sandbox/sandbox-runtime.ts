import { join } from 'node:path'
import type { Sandbox, SandboxedCommand, SandboxRequest } from '../../ports/gate.ts'
import { makeScratchFolder, removeScratchFolder, runProcess, showExcerpt } from '../process/index.ts'
import { confinedEnvironment, type SandboxOptions, type SandboxTrial, unusable } from './sandbox-options.ts'
import { listeningSockets, realPath, survey, type Survey } from './survey.ts'
import { messageOf } from '../../base/index.ts'
import { z } from 'zod'

export interface SandboxRuntimeOptions extends SandboxOptions {
  /** Loads the library. Default: `@anthropic-ai/sandbox-runtime`. */
  readonly load?: () => Promise<unknown>
}

/**
 * Uses `@anthropic-ai/sandbox-runtime` if installed (macOS, Linux): slower to start, but blocks Unix sockets.
 * @throws {UsageError} for a missing folder
 */
export async function sandboxRuntime(options: SandboxRuntimeOptions): Promise<SandboxTrial> {
  if (options.network === 'on')
    return unusable('sandbox-runtime opens the network for named hosts only, not as a whole; use bubblewrap')
  const runtime = await loadRuntime(options.load)
  if (runtime === undefined)
    return unusable(
      '@anthropic-ai/sandbox-runtime is not installed; npm install @anthropic-ai/sandbox-runtime',
    )
  const problem = await tryOut(runtime)
  if (problem !== undefined) return unusable(`sandbox-runtime does not work here: ${problem}`)
  return { kind: 'works', sandbox: sandboxOf(options, runtime) }
}

function sandboxOf(options: SandboxOptions, runtime: Runtime): Sandbox {
  const folders = [options.workFolder, ...(options.writableFolders ?? [])].join(', ')
  let surveyed: Survey | undefined
  return {
    description: {
      driver: 'sandbox-runtime',
      isConfined: true,
      network: 'off',
      summary: `commands write only in ${folders} and a temporary folder, no network (sandbox-runtime)`,
    },
    async confine(request) {
      try {
        surveyed ??= await survey(options)
        if (surveyed === undefined || (await realPath(request.folder)) === undefined)
          return { kind: 'unavailable', problem: `there is no folder ${request.folder}` }
        return await wrap(runtime, request, surveyed, options)
      } catch (error) {
        return { kind: 'unavailable', problem: messageOf(error) }
      }
    },
  }
}

async function wrap(
  runtime: Runtime,
  request: SandboxRequest,
  { ground }: Survey,
  { temporaryFolder }: SandboxOptions,
): Promise<SandboxedCommand> {
  const temporary = temporaryFolder ?? makeScratchFolder('sandbox')
  const sockets = await listeningSockets()
  const hidden = [...ground.secrets, ...ground.denied, ...sockets].map(({ path }) => path)
  const release = () => {
    runtime.cleanUp()
    if (temporaryFolder === undefined) removeScratchFolder(temporary)
    return Promise.resolve()
  }
  try {
    const words = await runtime.wrap(request.words, {
      denyRead: hidden,
      allowWrite: [ground.workFolder, ...ground.writable, temporary],
      denyWrite: ground.fixed,
    })
    const passed = confinedEnvironment(request.environment)
    const environment = { ...passed, TMPDIR: temporary, GOCACHE: join(temporary, 'go-build') }
    return { kind: 'ready', words, environment, release }
  } catch (error) {
    if (temporaryFolder === undefined) removeScratchFolder(temporary)
    throw error
  }
}

/** Must succeed without reaching its targets. The last would let root start programs outside. */
const attempt = `
echo begun
if touch "$1/outside" 2>/dev/null; then echo "a file outside could be written"; fi
if grep -qv -e lo: -e '|' /proc/net/dev 2>/dev/null; then echo "the network is there"; fi
if (exec 3<>/proc/sys/kernel/core_pattern) 2>/dev/null; then echo "settings of the kernel can be written, as they can by root"; fi
`

async function tryOut(runtime: Runtime): Promise<string | undefined> {
  const folder = makeScratchFolder('sandbox-trial')
  try {
    const rules = { denyRead: [], allowWrite: [], denyWrite: [] }
    const words = await runtime.wrap(['sh', '-c', attempt, 'sh', folder], rules)
    const { end, output } = await runProcess({
      command: { words },
      folder,
      environment: { PATH: process.env['PATH'] ?? '' },
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      headBytes: 2048,
      tailBytes: 2048,
      keepBytes: 0,
    })
    const reported = showExcerpt(output).trim()
    if (end.kind === 'exited' && end.exitCode === 0 && reported === 'begun') return undefined
    const [said = ''] = reported.replace(/^begun\n?/, '').split('\n')
    if (said !== '') return said
    return end.kind === 'not-started' ? end.problem : `it ended as ${end.kind}`
  } catch (error) {
    return messageOf(error)
  } finally {
    runtime.cleanUp()
    removeScratchFolder(folder)
  }
}

interface RuntimeRules {
  readonly denyRead: readonly string[]
  readonly allowWrite: readonly string[]
  readonly denyWrite: readonly string[]
}

interface Runtime {
  /** Without a network. @throws what the library throws */
  wrap(words: readonly string[], rules: RuntimeRules): Promise<readonly [string, ...string[]]>
  cleanUp(): void
}

interface Manager {
  wrapWithSandboxArgv(command: string, shell: undefined, settings: object): Promise<unknown>
  cleanupAfterCommand(): void
}

const wrapped = z.object({ argv: z.tuple([z.string()], z.string()) })
/** Concatenated, so that the compiler does not resolve the optional package. */
const library = ['@anthropic-ai', 'sandbox-runtime'].join('/')

/** @returns undefined if missing or of an unknown shape */
async function loadRuntime(
  load: () => Promise<unknown> = () => import(library),
): Promise<Runtime | undefined> {
  const loaded: unknown = await load().catch(() => undefined)
  const manager: unknown = isRecord(loaded) ? loaded['SandboxManager'] : undefined
  if (!isManager(manager)) return undefined
  return {
    async wrap(words, { denyRead, allowWrite, denyWrite }) {
      const settings = {
        network: { allowedDomains: [], deniedDomains: [] },
        filesystem: { denyRead, allowRead: [], allowWrite, denyWrite },
      }
      const command = words.map(quoteWord).join(' ')
      return wrapped.parse(await manager.wrapWithSandboxArgv(command, undefined, settings)).argv
    },
    cleanUp: () => manager.cleanupAfterCommand(),
  }
}

function quoteWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isManager(value: unknown): value is Manager {
  return (
    isRecord(value) &&
    typeof value['wrapWithSandboxArgv'] === 'function' &&
    typeof value['cleanupAfterCommand'] === 'function'
  )
}
