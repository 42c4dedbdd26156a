export interface Table {
  readonly title: string
  readonly rows: readonly ({ readonly name: string } & Readonly<Record<string, string | number>>)[]
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function rounded(number: number, digits = 3): number {
  return Number(number.toFixed(digits))
}

/** Milliseconds that the work took. */
export async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
