/** What is to be written, as flags or a person say it. */
import { UsageError } from '@donecheck/engine/base'
import { presetNames, type FoundDrive, type PresetName, type Survey } from '../../../agents/survey.ts'

export interface InitFlags {
  readonly until?: readonly string[]
  readonly preset?: readonly string[]
  readonly agent?: string
  readonly model?: string
  /** The agent that is held to the checks by its hooks, in this project. */
  readonly install?: string
  readonly prePush?: boolean
  readonly ci?: boolean
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly workdir?: string
}

export interface Answers {
  readonly until: readonly string[]
  readonly presets: readonly PresetName[]
  readonly drive: FoundDrive | undefined
  readonly install: string | undefined
  readonly prePush: boolean
  readonly ci: boolean
}

/** Where nothing is said: every check that was found, a build only if it is the only one, the first drive, and no offer. */
export function answersOfFlags(flags: InitFlags, { checks, drives }: Survey): Answers {
  const { until = [], preset, install, prePush = false, ci = false } = flags
  const all = checks.map((check) => check.preset)
  const found = all.length === 1 ? all : all.filter((name) => name !== 'build')
  const isNamed = until.length > 0 || preset !== undefined
  const presets = isNamed ? (preset ?? []).map(presetNamed) : found
  return { until, presets, drive: driveOfFlags(flags) ?? drives[0], install, prePush, ci }
}

function presetNamed(name: string): PresetName {
  const known = presetNames.find((one) => one === name)
  if (known !== undefined) return known
  throw new UsageError(`there is no preset "${name}"; there are ${presetNames.join(', ')}`)
}

function driveOfFlags({ agent, model }: InitFlags): FoundDrive | undefined {
  const named = { why: 'named by you', hasHooks: false }
  if (agent !== undefined && model !== undefined)
    throw new UsageError('--agent and --model are both given: choose one drive')
  if (agent !== undefined) return { kind: 'agent', name: agent, ...named }
  return model === undefined ? undefined : { kind: 'model', name: model, ...named }
}
