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
  return { kind: 'lifted', stored: isGateDecided(stored) ? withTodaysWords(stored) : stored }
}

/** A decision was once recorded as `forbid`, while rules said `forbidden`. */
function withTodaysWords(stored: object): unknown {
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]): [string, unknown] => {
      if (key === 'decision' || key === 'shadow') return [key, value === 'forbid' ? 'forbidden' : value]
      if (key !== 'matches' || !Array.isArray(value)) return [key, value]
      return [key, value.map((one: unknown) => (isObject(one) ? withTodaysWords(one) : one))]
    }),
  )
}

function isGateDecided(stored: unknown): stored is object {
  return isObject(stored) && 'type' in stored && stored.type === 'gate-decided'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function versionOf(stored: unknown): number | undefined {
  if (!isObject(stored) || !('schemaVersion' in stored)) return undefined
  return typeof stored.schemaVersion === 'number' ? stored.schemaVersion : undefined
}
