/** A small tree in which something is wrong on purpose, or right where a careless gate would complain. */
export interface Planted {
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  /** Places that the gate must name; empty where it must let the tree through. */
  readonly caught: readonly string[]
}

/** A file of the package's sources. */
export function at(file: string): string {
  return `packages/donecheck/src/${file}`
}

/** So many lines. */
export function lines(count: number): string {
  return 'void 0\n'.repeat(count)
}
