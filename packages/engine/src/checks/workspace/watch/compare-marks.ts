import type { Marks } from '../snapshot/manifest.ts'

export interface MarkChange {
  readonly name: string
  readonly kind: 'appeared' | 'changed' | 'gone'
}

/** What differs between two looks at the same things, by name. */
export function compareMarks(before: Marks, now: Marks): readonly MarkChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()
  return names.flatMap((name): readonly MarkChange[] => {
    if (before[name] === now[name]) return []
    if (!Object.hasOwn(before, name)) return [{ name, kind: 'appeared' }]
    return [{ name, kind: Object.hasOwn(now, name) ? 'changed' : 'gone' }]
  })
}
