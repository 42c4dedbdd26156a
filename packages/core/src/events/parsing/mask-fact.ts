/** Masks text from outside. Names, ids, folders and labels stay, because they hold the run together. */
import type { FactType, NewEvent } from '../event.ts'
import { maskText, maskValue, type Cut, type SecretValues } from '../../secrets/index.ts'

/** @param owner the object that contains the value */
type Mask = (value: unknown, secrets: SecretValues, owner: object) => unknown
type Part = readonly [path: readonly string[], mask: Mask]

/** Each part by its path; `*` is each entry of a list. Missing parts are skipped. */
function texts(...paths: readonly string[]): readonly Part[] {
  return paths.map((path) => partAt(path, maskValue))
}

function partAt(path: string, mask: Mask): Part {
  return [path.split('.'), mask]
}

const stopAt = (name: string) => texts(`${name}.message`, `${name}.summary`)

/** Rules, digests, folders and paths of evidence stay. */
const verdict: readonly Part[] = [
  ...texts('verdict.reason'),
  ...['text', 'command', 'message', 'by', 'reason', 'quotes.*.text', 'skipped.*'].flatMap(evidence),
  ...['failed.*.name', 'failed.*.message'].flatMap(evidence),
  partAt('verdict.evidence.*.output.head', cutAt('end')),
  partAt('verdict.evidence.*.output.tail', cutAt('start')),
]

function evidence(path: string): readonly Part[] {
  return texts(`verdict.evidence.*.${path}`)
}

const change = [
  'objective',
  'title',
  'reason',
  'blocker',
  'progress',
  'text',
  'subGoal.title',
  'checks.*.command',
]

const partsOf: Readonly<Record<FactType, readonly Part[]>> = {
  'run-started': texts('agent.name', 'recipe'),
  'run-resumed': texts('agent.name'),
  'run-stopped': stopAt('transition'),
  'turn-ended': [...stopAt('transition'), ...texts('feedback')],
  'goal-set': texts('task', 'rules', 'subGoals.*.title'),
  'goal-changed': texts(...change.map((name) => `change.${name}`)),
  'goal-change-refused': texts('reason'),
  'agent-steered': texts('text'),
  // The error about unreadable arguments may quote them.
  'model-replied': texts('text', 'problem', 'toolCalls.*.args', 'toolCalls.*.malformed'),
  'model-failed': texts('failure.message'),
  'wait-started': texts('reason'),
  'gate-decided': texts('reason', 'matches.*.rule', 'matches.*.words.*'),
  'hook-ran': texts('note', 'told'),
  'approval-requested': texts('question'),
  'approval-given': texts('reason'),
  'tool-refused': texts('reason'),
  'tool-returned': texts('output'),
  'verdict-given': verdict,
  'finding-noted': texts('finding.message', 'finding.advice'),
  'final-summary-called': [...stopAt('end'), ...texts('notice')],
  'final-summary-replied': texts('text', 'problem'),
  'sub-run-ended': texts('message'),
  'memory-recalled': texts('text', 'facts.*.text'),
  'agent-plan-reported': [partAt('entries.*.text', maskPlanEntry)],
  'reply-judged': verdict,
  'reply-settled': texts('text', 'message'),
  'reply-delivered': texts('problem'),
  'reply-judging-started': [],
  'agent-session-opened': [],
  'interrupt-requested': [],
  'goal-wait-ended': [],
  'sub-run-started': [],
  'budget-added': [],
  'model-called': [],
  'wait-ended': [],
  'tool-called': [],
  'workspace-observed': [],
  'verification-started': [],
}

export function maskFact<Fact extends NewEvent>(fact: Fact, secrets: SecretValues): Fact
export function maskFact(fact: NewEvent, secrets: SecretValues): unknown {
  return partsOf[fact.type].reduce<unknown>(
    (masked, [path, mask]) => maskAt(masked, path, (value, owner) => mask(value, secrets, owner)),
    fact,
  )
}

function maskAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  mask: (value: unknown, owner: object) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const within = (entry: unknown) => (rest.length === 0 ? mask(entry, value) : maskAt(entry, rest, mask))
  if (key === '*') return Array.isArray(value) ? value.map(within) : value
  return key !== undefined && Object.hasOwn(value, key)
    ? { ...value, [key]: within(Reflect.get(value, key)) }
    : value
}

/** The ends of a shortened output may contain half a secret. */
function cutAt(cut: Cut): Mask {
  return (value, secrets, owner) =>
    typeof value === 'string' && 'omittedBytes' in owner && owner.omittedBytes !== 0
      ? maskText(value, secrets, cut)
      : maskValue(value, secrets)
}

/** In UTF-16 units. */
const maxEntryLength = 300

/** Cut after masking: half a secret would not be recognized. */
function maskPlanEntry(value: unknown, secrets: SecretValues): unknown {
  const masked: unknown = maskValue(value, secrets)
  if (typeof masked !== 'string' || masked.length <= maxEntryLength) return masked
  return `${masked.slice(0, maxEntryLength - 1).toWellFormed()}…`
}
