import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { RunEvent } from '@donecheck/core/internal/events'
import { acceptAll, storeApprover } from '@donecheck/engine/internal/policy/approvals'
import { UsageError, given } from '@donecheck/engine/internal/base'
import {
  createAgentLoop,
  rememberBaseline,
  type AgentLoopOptions,
} from '@donecheck/engine/internal/loop/compose'
import type { FleetRequest } from '@donecheck/fleet/internal/coordinator'
import type { RunOpener, RunPlace, RunPart } from '@donecheck/fleet/internal/worker'
import { parseConfig, type Config } from '../../config/index.ts'
import type { CliIo } from '../process/io.ts'
import { configFromRecipe } from '../settings/recipe.ts'
import { loopOptions } from './loop/loop-options.ts'
import { fold } from '@donecheck/core/internal/state'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { makeScratchFolder } from '@donecheck/engine/internal/system/process'
import { isSea } from 'node:sea'
import { z } from 'zod'
import { topUpOfFlags } from './judging/judging-options.ts'
import { secretsOf } from '../settings/secrets.ts'

/** @param io without the worker's own secrets */
export function runOpener(worker: CliIo): RunOpener {
  const io = { ...worker, stdin: Readable.from([]) }
  return {
    async open(request, place) {
      const past = await place.store.read(place.runId)
      const options = await optionsOf(request, place, past, io)
      const { tools = [], agent } = options
      const hasOwn =
        typeof agent === 'string' || !('description' in agent) || agent.description.kind !== 'model'
      const loop = createAgentLoop({ ...options, tools: hasOwn ? tools : [...tools, ...place.tools] })
      const { replaces } = place
      return loop.open(beginningOf(request, past, place.notice, place.part), {
        waits: 'elsewhere',
        ...(replaces ? { isGone: () => true } : {}),
      })
    },
    async rememberBase(request, place) {
      const past = await place.store.read(place.runId)
      await rememberBaseline(await optionsOf(request, place, past, io), place.runId)
    },
  }
}

async function optionsOf(
  request: FleetRequest,
  { runId, folder, snapshotFolder, store, signal, part }: RunPlace,
  [first]: readonly RunEvent[],
  io: CliIo,
): Promise<AgentLoopOptions> {
  if (folder === null || snapshotFolder === null)
    throw new UsageError(`run ${runId} names neither a repository nor a folder to work in`)
  const config: Config = {
    ...(first?.type === 'run-started'
      ? configFromRecipe(first.recipe, runId)
      : parseConfig(request.settings, 'the request')),
    // Hidden from the model; the record itself is elsewhere.
    store: dirname(snapshotFolder),
  }
  const options = await loopOptions({
    ...{ config, workFolder: folder, store, signal, shown: {}, memory: undefined, io },
    approver:
      config.yes === true
        ? acceptAll('--yes')
        : storeApprover({ store, secrets: secretsOf(io.environment, config.secrets ?? []) }),
  })
  const { guard = {} } = options
  const opened = part === undefined ? options : optionsOfPart(options, part)
  return guard === false || 'prepare' in guard ? opened : { ...opened, guard: { ...guard, snapshotFolder } }
}

/** Performs a resume request once, even if it is repeated. @param part absent for a full run */
export function beginningOf(
  request: FleetRequest,
  past: readonly RunEvent[],
  notice: string | undefined,
  part?: RunPart,
) {
  const { runId, task } = request
  if (past.length === 0) {
    const allocated = part && { parent: part.parent, caps: part.caps }
    return { kind: 'new', task, as: { runId, ...allocated } } as const
  }
  const reported = given({ notice })
  const asked = fold(past)?.phase.kind === 'stopped' ? request.resume : undefined
  const isDone = past.some((event) => event.type === 'run-resumed' && event.requestId === asked?.id)
  if (asked === undefined || isDone) return { kind: 'continue', runId, ...reported } as const
  return { kind: 'resume', runId, requestId: asked.id, ...topUpOf(asked.topUp), ...reported } as const
}

function topUpOf(topUp: Readonly<Record<string, number>>) {
  const amounts = Object.entries(topUp).map(([name, amount]) => `${name}=${amount}`)
  return amounts.length === 0 ? {} : { topUp: { by: 'the service', added: topUpOfFlags(amounts) } }
}

/** Settings that only the whole run can decide. */
const ofTheWhole = ['verifyReplies', 'policy', 'completeWhen'] as const

export function optionsOfPart(
  options: AgentLoopOptions,
  { checks }: Pick<RunPart, 'checks'>,
): AgentLoopOptions {
  const { hardVerifiers = [], waive = [], quarantine = [] } = options
  const isOwn = ({ check }: { readonly check: string }) => checks.includes(check)
  const left = {
    ...options,
    hardVerifiers: (typeof hardVerifiers === 'string' ? [] : hardVerifiers).filter(
      (verifier) =>
        typeof verifier === 'object' &&
        'description' in verifier &&
        isOwn({ check: verifier.description.name }),
    ),
    ...{ waive: waive.filter(isOwn), quarantine: quarantine.filter(isOwn) },
  }
  for (const name of ofTheWhole) Reflect.deleteProperty(left, name)
  return left
}

/** The store URL may contain a password. */
export const secretVariables = ['DONECHECK_GIT_CREDENTIALS', 'DONECHECK_STORE'] as const

export type OwnSecrets = Readonly<Partial<Record<(typeof secretVariables)[number], string>>>

/** Names a file with the secrets, which is read once and deleted. */
export const handedOver = 'DONECHECK_HANDED_OVER'

/** Restarts the process without the secrets in its environment, if there are any. */
export function takeSecrets(environment: NodeJS.ProcessEnv): OwnSecrets {
  const file = environment[handedOver]
  if (file !== undefined) {
    const text = readFileSync(file, 'utf8')
    rmSync(dirname(file), { recursive: true })
    Reflect.deleteProperty(environment, handedOver)
    return z.partialRecord(z.enum(secretVariables), z.string()).parse(JSON.parse(text))
  }
  const secrets = Object.fromEntries(
    secretVariables.flatMap((name) => {
      const value = environment[name] ?? ''
      return value === '' ? [] : [[name, value] as const]
    }),
  )
  if (Object.keys(secrets).length === 0) return {}
  return beginAnew(secrets, environment)
}

function beginAnew(secrets: OwnSecrets, environment: NodeJS.ProcessEnv): never {
  if (process.execve === undefined)
    throw new UsageError(
      'a worker cannot hide its secrets from its runs on this system; run it on Linux or macOS',
    )
  const folder = makeScratchFolder('worker')
  const file = join(folder, 'secrets')
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  const kept = Object.entries(environment).filter(
    ([name]) => !secretVariables.some((secret) => secret === name),
  )
  const words = isSea() ? process.argv.slice(2) : [...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, [process.execPath, ...words], {
    ...Object.fromEntries(kept),
    [handedOver]: file,
  })
  throw new TypeError('the process was not begun anew')
}
