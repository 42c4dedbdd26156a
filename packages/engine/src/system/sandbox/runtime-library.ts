/** The door to `@anthropic-ai/sandbox-runtime`, which is never a dependency: its shape is checked when it is loaded. */
import { z } from 'zod'

export interface RuntimeRules {
  readonly denyRead: readonly string[]
  readonly allowWrite: readonly string[]
  readonly denyWrite: readonly string[]
}

export interface Runtime {
  /** Without any network. @throws what the library throws */
  wrap(words: readonly string[], rules: RuntimeRules): Promise<readonly [string, ...string[]]>
  /** After a process has ended. */
  cleanUp(): void
}

interface Manager {
  wrapWithSandboxArgv(command: string, shell: undefined, settings: object): Promise<unknown>
  cleanupAfterCommand(): void
}

const wrapped = z.object({ argv: z.tuple([z.string()], z.string()) })
/** Put together: the compiler does not look for what may be missing. */
const library = ['@anthropic-ai', 'sandbox-runtime'].join('/')

/** Undefined: it is not installed, or not of the known shape. */
export async function loadRuntime(
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
