import { wilsonInterval } from '@donecheck/engine/base'

/** Such as `3/40 = 7.5 % (2.6–19.9 %)`, with Wilson's interval. */
export function shareWords(hits: number, all: number): string {
  if (all === 0) return 'none to count'
  const { low, high } = wilsonInterval(hits, all)
  const percent = (share: number) => (100 * share).toFixed(1)
  return `${hits}/${all} = ${percent(hits / all)} % (${percent(low)}–${percent(high)} %)`
}
