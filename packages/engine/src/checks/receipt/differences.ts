/** Where two values differ, each place by its path. */

export interface Difference {
  /** Joined by dots. */
  readonly path: string
  /** Undefined: nothing stands there. */
  readonly expected: unknown
  readonly found: unknown
}

/** In the order of the keys of what is expected, then what is there beside it. */
export function differences(expected: unknown, found: unknown, path: string): readonly Difference[] {
  if (!isParent(expected) || !isParent(found) || Array.isArray(expected) !== Array.isArray(found))
    // JSON has one zero.
    return expected === found || Object.is(expected, found) ? [] : [{ path, expected, found }]
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)])
  return [...keys].flatMap((key) => differences(at(expected, key), at(found, key), `${path}.${key}`))
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function at(parent: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(parent, key)?.value
}
