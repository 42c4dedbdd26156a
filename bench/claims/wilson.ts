/** 95 per cent, two-sided. */
const z = 1.959964

/** Wilson's interval of a share, both ends of 1. Undefined: there is nothing to divide by. */
export function wilson(hits: number, all: number): readonly [number, number] | undefined {
  if (all === 0) return undefined
  const share = hits / all
  const scale = 1 + z ** 2 / all
  const middle = (share + z ** 2 / (2 * all)) / scale
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2))
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)]
}

/** Such as `3/40 = 7.5 % (2.6–19.9 %)`. */
export function shareWords(hits: number, all: number): string {
  const interval = wilson(hits, all)
  if (interval === undefined) return 'none to count'
  const [low, high] = interval.map((end) => (100 * end).toFixed(1))
  return `${hits}/${all} = ${((100 * hits) / all).toFixed(1)} % (${low}–${high} %)`
}
