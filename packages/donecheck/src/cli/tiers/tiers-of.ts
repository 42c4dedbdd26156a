/** Which tiers stand, from settings and record alone: no clock, no file. */
import { adviceRows, hardRows, isDecided, capRows, ruleRows } from './rows.ts'
import {
  tierNames,
  type CheckCosts,
  type Tier,
  type TierName,
  type TierRow,
  type TierSubject,
  type TiersReport,
  type HookHost,
  type CheckCost,
} from './tier.ts'
import type { RunEvent } from '@donecheck/core/events'
import type { Verdict } from '@donecheck/core/verdicts'
import type { Store } from '@donecheck/engine/ports/store'

interface TierKind {
  readonly title: string
  /** What it may do, for people. */
  readonly about: string
  readonly rows: (subject: TierSubject, costs: CheckCosts) => readonly TierRow[]
  /** The flag and the key that fill it. Absent: it is never empty. */
  readonly filledBy?: (subject: TierSubject) => readonly [flag: string, key: string]
}

export const tierTable: Readonly<Record<TierName, TierKind>> = {
  hard: {
    title: 'Hard verifiers',
    about: 'only these can end it as verified',
    rows: hardRows,
    filledBy: ({ offered: [first] }) =>
      first === undefined
        ? ['--until "COMMAND"', "until: 'COMMAND'"]
        : [`--preset ${first.preset}`, `presets: ['${first.preset}']`],
  },
  soft: {
    title: 'Soft verifiers',
    about: 'may end it early, never as verified',
    rows: (subject, costs) => [...ruleRows(subject), ...adviceRows(subject, costs)],
    filledBy: () => ['--loop-detection on', "loopDetection: 'on'"],
  },
  lazy: { title: 'Lazy checks', about: "the model's own word", rows: wordRows },
  caps: {
    title: 'Hard caps',
    about: 'a fuse: reached, it ends as exhausted',
    rows: capRows,
    filledBy: () => ['--max-turns 90', 'maxTurns: 90'],
  },
}

export function tiersReport(subject: TierSubject, costs: CheckCosts): TiersReport {
  const { workFolder, drive, host, notes } = subject
  const tiers = tierNames.map((tier) => tierOf(tier, subject, costs))
  return {
    schemaVersion: 1,
    subject:
      host === null
        ? { kind: 'run', workFolder, drive: drive?.name ?? null }
        : { kind: 'agent', workFolder, agent: host.agent, title: host.title, hooks: host.hooks },
    problems: host?.problems ?? [],
    notes,
    empty: tiers.flatMap(({ tier, state }) => (state === 'empty' ? [tier] : [])),
    tiers,
  }
}

function tierOf(tier: TierName, subject: TierSubject, costs: CheckCosts): Tier {
  const rows = tierTable[tier].rows(subject, costs)
  if (!rows.some(({ state }) => state === 'stands'))
    return { tier, state: 'empty', rows, fill: fillOf(tier, subject) }
  const mayNotRun = tier !== 'lazy' && (subject.host?.problems ?? []).length > 0
  // A required check that can never decide keeps the others from ending anything as verified.
  const isBlocked = tier === 'hard' && rows.some(({ state }) => state === 'idle')
  return { tier, state: mayNotRun || isBlocked ? 'doubtful' : 'stands', rows, fill: null }
}

/** An installation keeps nothing but what is named: `…` stands for the flags that it was made with. */
function fillOf(tier: TierName, subject: TierSubject): Tier['fill'] {
  const { host, known } = subject
  const isBare = host?.hooks === 'none'
  const [flag, key] = tierTable[isBare ? 'hard' : tier].filledBy?.(subject) ?? []
  if (flag === undefined || key === undefined) return null
  if (host === null) return { line: `donecheck run ${flag} "TASK"`, key }
  const install = `donecheck install ${host.agent}`
  if (known.size === 0) return { line: `${install} ${flag}`, key }
  return isBare ? { line: install, key: null } : { line: `${install} … ${flag}`, key }
}

/** What the word of whoever drives does. */
function wordRows(subject: TierSubject): readonly TierRow[] {
  const { settings, host } = subject
  const isAlone = !isDecided(subject)
  if (host !== null) return wordOfHost(host, settings.caps.maxBlockedStops, isAlone)
  if (isAlone) return [word('claim', 'ends the run, as unverified (exit 4)')]
  const also =
    settings.completeWhen === 'checks'
      ? 'needed, with a change, where a check was green before'
      : 'needed beside green checks'
  return [word('claim', `ends nothing by itself: the checks are asked; ${also}`)]
}

const unchangedWords = {
  verify: 'its claim is checked like any other',
  'allow-stop': 'it may stop, not verified',
  attended: 'it may stop, not verified, where a person asked; else it is checked',
} as const

const brokenWords = { hold: 'holds it back', 'allow-stop': 'lets it stop, not verified' } as const

function wordOfHost(
  { title, hooks, claims, whenUnchanged, onBrokenCheck }: HookHost,
  maxBlockedStops: number | null,
  isAlone: boolean,
): readonly TierRow[] {
  const at = claims.join(' and ')
  if (isAlone) {
    const why = hooks === 'none' ? `${title} stops when it likes` : `no check is asked at ${at}`
    return [word('claim', `ends the work: ${why}`)]
  }
  const again =
    maxBlockedStops === null
      ? 'is blocked as long as a check is red'
      : `after ${maxBlockedStops} in a row with no better score it may stop, not verified`
  return [
    word('claim', `ends nothing by itself: the checks are asked at ${at}`),
    word('blocked stop', again),
    word('turn without change', unchangedWords[whenUnchanged ?? 'attended']),
    word('broken check', brokenWords[onBrokenCheck]),
  ]
}

function word(name: string, what: string): TierRow {
  return { name, state: 'stands', what, option: null, cost: null }
}

/** The latest ones tell what a check costs today. */
const maxRuns = 50

/** Of the latest runs that were recorded here. What cannot be read of one is left out. */
export async function recordedCosts(store: Pick<Store, 'list' | 'readAsFar'>): Promise<CheckCosts> {
  const own = (await store.list()).filter(({ imported }) => imported !== true).slice(0, maxRuns)
  const verdicts: Verdict[] = []
  for (const { runId } of own) verdicts.push(...verdictsIn((await store.readAsFar(runId)).events))
  return costsOf(verdicts)
}

export function costsOf(verdicts: readonly Verdict[]): CheckCosts {
  const byCheck = Map.groupBy(verdicts.filter(wasAsked), ({ verifier }) => verifier)
  return new Map([...byCheck].map(([name, given]) => [name, costOf(given)]))
}

function verdictsIn(events: readonly RunEvent[]): readonly Verdict[] {
  return events.flatMap((event) =>
    event.type === 'verdict-given' || event.type === 'reply-judged' ? [event.verdict] : [],
  )
}

/** One that was taken again, or left out, tells nothing of the time. */
function wasAsked({ status, qualifiers }: Verdict): boolean {
  return status !== 'skipped' && status !== 'pending' && !qualifiers.includes('cached')
}

function costOf(verdicts: readonly Verdict[]): CheckCost {
  const prices = verdicts.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    verdicts: verdicts.length,
    medianSeconds: medianOf(verdicts.map(({ durationMs }) => durationMs)) / 1000,
    medianCostUsd: prices.length === 0 ? null : medianOf(prices),
  }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
