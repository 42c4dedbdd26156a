/** Old facts are lifted when they are read; nobody rewrites history. */

export const currentSchemaVersion = 1

export type Lifted =
  | { readonly kind: 'lifted'; readonly stored: unknown }
  | { readonly kind: 'too-new'; readonly problem: string }

/** Today's version is the first: there is nothing to lift yet, but a newer event is named as such. */
export function upcast(stored: unknown): Lifted {
  const version = versionOf(stored)
  if (version !== undefined && version > currentSchemaVersion) {
    return {
      kind: 'too-new',
      problem: `event of schema version ${version}; this donecheck reads up to ${currentSchemaVersion}: update donecheck`,
    }
  }
  return { kind: 'lifted', stored }
}

function versionOf(stored: unknown): number | undefined {
  if (typeof stored !== 'object' || stored === null || !('schemaVersion' in stored)) return undefined
  return typeof stored.schemaVersion === 'number' ? stored.schemaVersion : undefined
}
