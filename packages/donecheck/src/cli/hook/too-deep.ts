/** More lists within lists than any agent sends: whoever walks through them by calling itself runs out of room. */
const deepest = 200

/** Level by level, not by recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap(partsOf)
    if (level.length === 0) return false
  }
  return true
}

function partsOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values<unknown>({ ...value }) : []
}
