import { bounds, capTable } from '@donecheck/core/internal/budgets'
import { oneLine, seconds, thousands, type Line, line } from '@donecheck/core/internal/base'
import { detectorNames } from '@donecheck/core/internal/events/settings'
import { UsageError } from '@donecheck/engine/internal/base'
import { partsOf } from '@donecheck/engine/internal/loop/compose'
import { scriptedAgent } from '@donecheck/engine/internal/loop/agents'
import type { Agent } from '@donecheck/engine/internal/ports/loop'
import { memoryStore } from '@donecheck/engine/store'
import { namedAgent } from '../../agents/agents.ts'
import { print } from '../../output/wrap.ts'
import type { CliIo } from '../../process/io.ts'
import { storeFolderOf, type Settings } from '../../settings/store-folder.ts'
import { chooseAgent } from '../../wiring/loop/loop-options.ts'
import { withTextsRead } from '../../wiring/judging/judge.ts'
import { judgedOptions } from '../../wiring/judging/judging-options.ts'
import { withProjectTests } from '../../wiring/some-check.ts'

type RunSettings = ReturnType<typeof partsOf>['settings']

/** @throws {UsageError} for settings that a run would refuse */
export async function dryRun(
  { config: typed, workFolder }: Settings,
  isJson: boolean,
  io: CliIo,
): Promise<number> {
  const config = await withProjectTests(await withTextsRead(typed, workFolder, io), workFolder, io)
  const store = { ...memoryStore(), folder: storeFolderOf(config.store, workFolder, io) }
  const { agent, note } = await agentFor({ config, workFolder }, io)
  const { settings } = partsOf({ ...(await judgedOptions({ config, workFolder, store, io }, true)), agent })
  const notes = note === undefined ? [] : [note]
  const value = { schemaVersion: 1, workFolder, agent: agent.description.name, notes, settings }
  return print(io, isJson, value, () => [...notes.map((one) => line('warning', one)), ...tierLines(settings)])
}

/** Only defaults depend on the agent, so neither its key nor its program is needed. */
async function agentFor(
  { config, workFolder }: Settings,
  io: CliIo,
): Promise<{ readonly agent: Agent; readonly note?: string }> {
  const { agent, model, baseUrl } = config
  if ((agent ?? model ?? baseUrl) === undefined)
    return { agent: unknownAgent(false), note: 'no agent or model is set: the defaults are those of a model' }
  try {
    return { agent: await chooseAgent(config, workFolder, io) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const ownsTools = agent !== undefined && namedAgent(agent) !== undefined
    return { agent: unknownAgent(ownsTools), note: `a run cannot begin here: ${error.message}` }
  }
}

/** Reports cost, so that a cost cap can be shown. */
function unknownAgent(ownsTools: boolean): Agent {
  const known = { name: 'unknown', prices: null, contextWindowTokens: 2048, reportsCost: true } as const
  return scriptedAgent([], { description: { ...known, ...(ownsTools ? { ownsTools } : {}) } })
}

type Row = readonly [mark: '✓' | '·' | '!', name: string, what: string]

function tierLines(settings: RunSettings): readonly Line[] {
  const { verifiers, soft, replyCheck, completeWhen } = settings
  const decides = verifiers.some(({ required, role }) => required && role === 'check')
  const checks = (isRequired: boolean) =>
    verifiers
      .filter(({ required }) => required === isRequired)
      .map(({ name, role }): Row => [isRequired ? '✓' : '·', name, roleWords[role]])
  const reply: readonly Row[] =
    replyCheck === null ? [] : [[replyCheck.verifies ? '✓' : '·', 'judge', 'judges replies']]
  const also = completeWhen === 'checks' ? '' : ', and is needed beside green checks'
  return [
    ...tier('Hard verifiers: only these can end it as verified', [...checks(true), ...reply]),
    ...tier('Soft verifiers: may end it early, never as verified', [...ruleRows(soft), ...checks(false)]),
    ...tier("Lazy checks: the agent's own word", [
      decides
        ? ['✓', 'claim', `has the checks run${also}`]
        : ['!', 'claim', 'ends the run as unverified (exit 4): no check decides'],
    ]),
    ...tier('Hard caps: reached, it ends as exhausted', capRows(settings)),
  ]
}

const roleWords = {
  check: 'must pass',
  'held-out': 'never shown to the agent; run once all others are green',
  probe: 'plants faults, and asks whether the checks notice them',
  guard: 'what is green must be so with the checks as they were',
} as const

function ruleRows(soft: RunSettings['soft']): readonly Row[] {
  if (soft === null) return []
  const { loopDetection, stagnation, tokenBudget } = soft
  const isOn = (mode: string) => (mode === 'on' ? '✓' : '·')
  return [
    [isOn(loopDetection.mode), 'loop detection', `${loopDetection.mode}, ${detectorNames.length} detectors`],
    [
      isOn(stagnation.mode),
      'stagnation',
      `${stagnation.mode}, after ${stagnation.patienceVerifications} verifications without progress`,
    ],
    tokenBudget === null
      ? ['·', 'token budget', 'off']
      : [isOn(tokenBudget.mode), 'token budget', `${thousands(tokenBudget.budgetTokens)} output tokens`],
  ]
}

function capRows({ caps }: RunSettings): readonly Row[] {
  return bounds.map((bound): Row => {
    const { cap, field, kind } = capTable[bound]
    const limit = caps[field]
    if (limit === null) return ['·', cap, 'off']
    return ['✓', cap, kind === 'cost' ? `$${limit}` : kind === 'time' ? seconds(limit) : thousands(limit)]
  })
}

function tier(title: string, rows: readonly Row[]): readonly Line[] {
  const column = Math.max(0, ...rows.map(([, name]) => Math.min(name.length, 22))) + 2
  return [
    line(rows.some(([mark]) => mark === '✓') ? 'strong' : 'warning', title),
    ...rows.map(([mark, name, what]) =>
      line(
        mark === '·' ? 'quiet' : mark === '!' ? 'warning' : 'plain',
        `  ${mark} ${oneLine(name, 60).padEnd(column)}${what}`,
      ),
    ),
    line('plain', ''),
  ]
}
