/** Old facts are lifted when they are read; nobody rewrites history. */

export const currentSchemaVersion = 1

export type Lifted =
  | { readonly kind: 'lifted'; readonly stored: unknown }
  | { readonly kind: 'too-new'; readonly problem: string }

/** A newer event is named as such; older words of the same version are read as today's. */
export function upcast(stored: unknown): Lifted {
  const version = versionOf(stored)
  if (version !== undefined && version > currentSchemaVersion) {
    return {
      kind: 'too-new',
      problem: `event of schema version ${version}; this donecheck reads up to ${currentSchemaVersion}: update donecheck`,
    }
  }
  const type = typeOf(stored)
  if (!isObject(stored) || type === undefined) return { kind: 'lifted', stored }
  if (type === 'gate-decided') return { kind: 'lifted', stored: withTodaysDecision(stored) }
  return { kind: 'lifted', stored: oldWordsIn.has(type) ? withTodaysWords(stored) : stored }
}

/** Events that were recorded under another type. */
const todaysTypes: ReadonlyMap<unknown, string> = new Map([
  ['wrap-up-called', 'final-summary-called'],
  ['wrap-up-replied', 'final-summary-replied'],
  ['agent-plan-told', 'agent-plan-reported'],
])

const todaysKeys: ReadonlyMap<string, string> = new Map([
  ['wrapUp', 'finalSummary'],
  ['wrapUpTokens', 'finalSummaryTokens'],
  ['maxSendBacks', 'maxBlockedStops'],
  ['cycleLaps', 'cycleRepeats'],
])

const oldWordsIn: ReadonlySet<string> = new Set([
  'run-started',
  'sub-run-started',
  'turn-ended',
  'run-stopped',
  'wrap-up-called',
  'wrap-up-replied',
  'agent-plan-told',
])

/** What holds settings or names a cap. Nothing else is looked into: it holds the words of users and models. */
const holders: ReadonlySet<string> = new Set([
  'settings',
  'caps',
  'carved',
  'soft',
  'loopDetection',
  'recipe',
  'transition',
])
const maxHolderDepth = 4

function withTodaysWords(stored: object, depth = 0): object {
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]: [string, unknown]): [string, unknown] => {
      if (depth === 0 && key === 'type') return [key, todaysTypes.get(value) ?? value]
      if (key === 'cap' || key === 'atCap') return [key, value === 'send_backs' ? 'blocked_stops' : value]
      const isHolder = depth < maxHolderDepth && holders.has(key) && isObject(value) && !Array.isArray(value)
      return [todaysKeys.get(key) ?? key, isHolder ? withTodaysWords(value, depth + 1) : value]
    }),
  )
}

/** A decision was once recorded as `forbid`, while rules said `forbidden`. */
function withTodaysDecision(stored: object): unknown {
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]): [string, unknown] => {
      if (key === 'decision' || key === 'shadow') return [key, value === 'forbid' ? 'forbidden' : value]
      if (key !== 'matches' || !Array.isArray(value)) return [key, value]
      return [key, value.map((one: unknown) => (isObject(one) ? withTodaysDecision(one) : one))]
    }),
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function typeOf(stored: unknown): string | undefined {
  if (!isObject(stored) || !('type' in stored)) return undefined
  return typeof stored.type === 'string' ? stored.type : undefined
}

function versionOf(stored: unknown): number | undefined {
  if (!isObject(stored) || !('schemaVersion' in stored)) return undefined
  return typeof stored.schemaVersion === 'number' ? stored.schemaVersion : undefined
}
