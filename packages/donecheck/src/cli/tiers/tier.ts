/** What may end an agent's work, tier by tier: the words of the audit. */
import type { DriveDescription, RunSettings } from '@donecheck/core/settings'
import type { Config } from '../../config/index.ts'

export const tierNames = ['hard', 'soft', 'lazy', 'caps'] as const
export type TierName = (typeof tierNames)[number]

/**
 * `stands`: in force. `advises`: asked, and decides nothing. `shadow`: only recorded. `idle`: named, and can do nothing as it is.
 * `offered`: there, and asked by nobody. `off`: not in force.
 */
export type RowState = 'stands' | 'advises' | 'shadow' | 'idle' | 'offered' | 'off'

/** Of one check, over the runs on record. Nulls: not measured yet, or nobody told a price. */
export interface CheckCost {
  /** Times that it was really asked. */
  readonly verdicts: number
  readonly medianSeconds: number | null
  readonly medianCostUsd: number | null
}

/** By the name of a check. */
export type CheckCosts = ReadonlyMap<string, CheckCost>

export interface TierRow {
  readonly name: string
  readonly state: RowState
  /** For people. */
  readonly what: string
  /** What sets it; null: nothing that could be typed here. */
  readonly option: { readonly flag: string; readonly key: string } | null
  /** Of one look, which is what a turn takes. Null: nothing is asked, so it costs nothing. */
  readonly cost: CheckCost | null
}

export interface Tier {
  readonly tier: TierName
  /** `doubtful`: something may keep it from being asked. */
  readonly state: 'stands' | 'doubtful' | 'empty'
  readonly rows: readonly TierRow[]
  /** What it would take, where it is empty: a line to type, and the same as a key; null: no key does it. */
  readonly fill: { readonly line: string; readonly key: string | null } | null
}

/** What the project says of its checks. */
export interface ProjectChecks {
  /** By name. Idle: it can never decide as it was asked for. */
  readonly known: ReadonlyMap<string, { readonly what: string; readonly isIdle: boolean }>
  /** What its own files name, and nobody asks. */
  readonly offered: readonly { readonly preset: string; readonly what: string }[]
}

/** An agent that owns its loop. */
export interface HookHost {
  readonly agent: string
  readonly title: string
  /** `planned`: as they would stand after an installation. `none`: no hook asks anything here. */
  readonly hooks: 'installed' | 'planned' | 'none'
  /** Its own names of the hooks at which the checks are asked, such as `Stop`. */
  readonly claims: readonly string[]
  /** Any of them means that it may be allowed to stop unchecked. */
  readonly problems: readonly string[]
  readonly onBrokenCheck: 'hold' | 'allow-stop'
  /** Undefined: it depends on whether a person sits there. */
  readonly whenUnchanged: 'verify' | 'allow-stop' | undefined
}

/** All that the tiers follow from: settings as they were resolved, and what was found around them. */
export interface TierSubject extends ProjectChecks {
  readonly workFolder: string
  readonly config: Config
  readonly settings: RunSettings
  /** Null: none is named, or it cannot be had here. */
  readonly drive: DriveDescription | null
  readonly notes: readonly string[]
  /** Null: a run of our own. */
  readonly host: HookHost | null
}

/** As a program reads it. Fields are added; what is there keeps its meaning within a version. */
export interface TiersReport extends Pick<TierSubject, 'notes'> {
  readonly schemaVersion: 1
  readonly subject: { readonly workFolder: string } & (
    | { readonly kind: 'run'; readonly drive: string | null }
    | ({ readonly kind: 'agent' } & Pick<HookHost, 'agent' | 'title' | 'hooks'>)
  )
  readonly problems: readonly string[]
  readonly empty: readonly TierName[]
  readonly tiers: readonly Tier[]
}
