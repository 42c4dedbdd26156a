/** The gate before calls of an agent: what it would ask about is left to the agent's own permissions. */
import { given } from '@donecheck/engine/internal/base'
import { resolve } from 'node:path'
import { findGuardedWord, policyGate, type PolicyRule } from '@donecheck/engine/gate'
import type { Gate, GateDecision } from '@donecheck/engine/internal/ports/gate'
import { decompose } from '@donecheck/engine/internal/analysis/shell'
import { loadAllRules } from '../wiring/gate/rules.ts'
import { findNamedPlace } from './named-places.ts'
import { parseConfig, type Config } from '../../config/index.ts'
import { ownPlacesOf, type HookRequest } from './request.ts'

export async function hookGate(request: HookRequest): Promise<Gate> {
  const { workFolder, homeFolder, configuration, sessionFile } = request
  const config = parseConfig(configuration.config, sessionFile)
  const { approval = 'writes', gate, writable = [], until = [], heldOut = [] } = config
  const ownPlaces = ownPlacesOf(request)
  const byPolicy = policyGate({
    ...{ workFolder, homeFolder, approval },
    rules: [
      ...(await loadAllRules(config, { ...request, currentFolder: workFolder })),
      ...untouchable(ownPlaces),
    ],
    sandbox: { isConfined: false },
    isForOneCall: true,
    ownChecks: config.keptCheckLines ?? until.map(({ command }) => command),
    protect: {
      protect: config.protect ?? [],
      mayChange: config.tamperGuard === false ? ['**'] : (config.mayChange ?? []),
      checkCommands: [...until, ...heldOut].map(({ command }) => command),
    },
    writableFolders: writable.map((folder) => resolve(workFolder, folder)),
    ...given({ mode: gate }),
  })
  return {
    ...byPolicy,
    // Applies in shadow mode, too.
    check: async (asked) =>
      objectionOfOurs(asked, request, ownPlaces, config) ?? (await byPolicy.check(asked)),
  }
}

/** The agent must not remove the guard, whatever the user's rules allow. */
function objectionOfOurs(
  { action }: Parameters<Gate['check']>[0],
  { workFolder, homeFolder }: HookRequest,
  ownPlaces: readonly string[],
  config: Pick<Config, 'until' | 'heldOut'>,
): GateDecision | undefined {
  if (action?.kind !== 'command') return undefined
  const line = decompose(action.script)
  const { commands } = line
  const { until = [], heldOut = [] } = config
  const pinned = [...until, ...heldOut].map(({ command }) => command)
  const word = findGuardedWord(commands, pinned)
  if (word !== undefined)
    return forbid(`\`donecheck ${word}\` is for the person, or the program, that watches over this work`)
  const from = action.folder === '' ? workFolder : action.folder
  const named = findNamedPlace(action.script, line, { workFolder: from, homeFolder, ownPlaces })
  return named === undefined
    ? undefined
    : forbid(
        `\`${named}\` is, or holds, part of what watches over this work, and what is given it here may change it`,
      )
}

function forbid(reason: string): GateDecision {
  return { kind: 'forbidden', label: 'policy_forbidden', reason }
}

/** For commands; files changed by tools are checked before the gate. */
function untouchable(ownPlaces: readonly string[]): readonly PolicyRule[] {
  const paths = ownPlaces.flatMap((place) => [place, `${place}/**`])
  const justification = 'it is part of what watches over this work'
  return [{ kind: 'path', paths, decision: 'forbidden', justification, source: { layer: 'run' } }]
}
