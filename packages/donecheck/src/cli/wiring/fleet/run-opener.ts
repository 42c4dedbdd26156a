/** How a worker of a fleet makes a run of a request: as `donecheck run` and `donecheck resume` would. */
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import type { RunEvent } from '@donecheck/core/events'
import { acceptAll, storeApprover } from '@donecheck/engine/approvals'
import { UsageError } from '@donecheck/engine/base'
import { createAgentLoop, rememberBaseline, type AgentLoopOptions } from '@donecheck/engine/compose'
import type { FleetRequest } from '@donecheck/fleet/coordinator'
import type { RunOpener, RunPlace } from '@donecheck/fleet/worker'
import { parseConfig, type Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { configFromRecipe } from '../../settings/recipe.ts'
import { secretsOf } from '../../settings/secrets.ts'
import { loopOptions } from '../loop/loop-options.ts'
import { beginningOf } from './beginning.ts'
import { optionsOfPart } from './part-options.ts'

/** @param io of the worker: what runs see of its environment holds none of its own secrets */
export function runOpener(worker: CliIo): RunOpener {
  // Nobody is asked at the terminal of a worker.
  const io = { ...worker, stdin: Readable.from([]) }
  return {
    async open(request, place) {
      const past = await place.store.read(place.runId)
      const options = await optionsOf(request, place, past, io)
      const { tools = [], drive } = options
      const hasOwn = !('description' in drive) || drive.description.kind !== 'model'
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
    // Hidden from what a model runs; the record itself lies elsewhere.
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
  const patient = { ...(part === undefined ? options : optionsOfPart(options, part)), maxModelAttempts }
  return guard === false || 'prepare' in guard ? patient : { ...patient, guard: { ...guard, snapshotFolder } }
}

/** A provider may be away for a quarter of an hour: whoever waits for it holds no worker. */
const maxModelAttempts = 30
