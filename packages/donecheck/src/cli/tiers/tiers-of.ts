/** Which tiers stand, from settings and record alone: no clock, no file. */
import { adviceRows, hardRows } from './check-rows.ts'
import { capRows, ruleRows } from './setting-rows.ts'
import {
  tierNames,
  type CheckCosts,
  type Tier,
  type TierName,
  type TierRow,
  type TierSubject,
  type TiersReport,
} from './tier.ts'
import { wordRows } from './word-rows.ts'

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
