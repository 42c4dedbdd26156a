/**
 * OpenClaw's own loop detection, loaded from its package. It is never a dependency: `install.ts` puts a release into a folder
 * outside of the repository, and a variable names it. Its files have hashed names and one-letter exports, so they are found by
 * what they hold.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Detector } from '../detector.ts'
import { asDetector } from './as-detector.ts'
import { notStuck, type Verdict } from './records.ts'
import type { LoopSession } from './session.ts'
import { isPlainObject } from './values.ts'

export const currentVariable = 'DONECHECK_OPENCLAW'

/** The newest release in the comparison, as a detector; undefined where its variable is not set. */
export async function realOpenClaw(): Promise<Detector | undefined> {
  const begin = await loadReal(process.env[currentVariable])
  if (begin === undefined) return undefined
  return asDetector('OpenClaw (real)', { begin: () => begin({ enabled: true }) })
}

/** Undefined: no folder is named. A folder without the detector in it is an error. */
export async function loadReal(
  folder: string | undefined,
): Promise<((config: { readonly enabled: boolean }) => LoopSession) | undefined> {
  if (folder === undefined || folder === '') return undefined
  const file = await detectorFile(join(folder, 'node_modules', 'openclaw', 'dist'))
  const functions = functionsOf(await importQuietly(file))
  const detect = mustHave(functions, 'detectToolCallLoop')
  const recordCall = mustHave(functions, 'recordToolCall')
  const recordOutcome = mustHave(functions, 'recordToolCallOutcome')
  return (config) => {
    const state: { toolCallHistory?: readonly unknown[] } = {}
    return {
      detect: ({ toolName, params }, { runId } = {}) =>
        verdictOf(detect(state, toolName, params, config, { runId })),
      recordCall({ toolName, params }, { toolCallId, runId } = {}) {
        recordCall(state, toolName, params, toolCallId, config, { runId })
      },
      recordOutcome({ toolName, params: toolParams }, ending, ids = {}) {
        recordOutcome(state, { toolName, toolParams, ...ending, ...ids, config })
      },
      size: () => state.toolCallHistory?.length ?? 0,
    }
  }
}

type AnyFunction = (...parameters: readonly unknown[]) => unknown

async function detectorFile(dist: string): Promise<string> {
  const names = (await readdir(dist)).filter((name) =>
    /(tool-loop-detection|before-tool-call\.runtime)-[\w-]+\.m?js$/.test(name),
  )
  for (const name of names) {
    const file = join(dist, name)
    if (/function detectToolCallLoop\b/.test(await readFile(file, 'utf8'))) return file
  }
  throw new Error(`no loop detection in '${dist}': install it there with bench/detectors/openclaw/install.ts`)
}

/** Their module looks for a home and writes a log: it gets a folder that is gone afterwards, and no log. */
async function importQuietly(file: string): Promise<unknown> {
  const { HOME: home } = process.env
  const scratch = await mkdtemp(join(tmpdir(), 'openclaw-'))
  process.env['OPENCLAW_LOG_LEVEL'] = 'silent'
  process.env['OPENCLAW_STATE_DIR'] = scratch
  process.env['HOME'] = scratch
  try {
    return await import(/* @vite-ignore */ pathToFileURL(file).href)
  } finally {
    if (home === undefined) delete process.env['HOME']
    else process.env['HOME'] = home
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Exported as they are, or as members of one exported object. */
function functionsOf(module: unknown): ReadonlyMap<string, AnyFunction> {
  const exported = isNamespace(module) ? Object.values(module) : []
  const members = exported.flatMap((value) => (isPlainObject(value) ? Object.values(value) : [value]))
  return new Map(members.filter(isFunction).map((member) => [member.name, member]))
}

function isNamespace(module: unknown): module is Readonly<Record<string, unknown>> {
  return typeof module === 'object' && module !== null
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

function mustHave(functions: ReadonlyMap<string, AnyFunction>, name: string): AnyFunction {
  const found = functions.get(name)
  if (found === undefined) throw new Error(`the loop detection exports no '${name}'`)
  return found
}

function verdictOf(said: unknown): Verdict {
  if (isStuck(said)) return said
  if (isPlainObject(said) && said['stuck'] === false) return notStuck
  throw new Error(`not a verdict: ${JSON.stringify(said)}`)
}

function isStuck(said: unknown): said is Extract<Verdict, { stuck: true }> {
  return (
    isPlainObject(said) &&
    said['stuck'] === true &&
    typeof said['count'] === 'number' &&
    (said['level'] === 'warning' || said['level'] === 'critical') &&
    typeof said['detector'] === 'string' &&
    typeof said['warningKey'] === 'string'
  )
}
