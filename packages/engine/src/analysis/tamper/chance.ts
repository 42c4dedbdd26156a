/** Sources whose answers need not be the same twice. */

const chance =
  /random|\brand(?:int|n|range)?\s*\(|uuid|nanoid|\bsecrets\.|Date\.now|new Date\(\s*\)|performance\.now|hrtime|perf_counter|monotonic|\btime(?:_ns)?\(\s*\)|datetime\.(?:now|utcnow)|time\.Now|SystemTime|Instant::now|getpid|process\.pid/iu

/** Whether a line that was not there before asks for chance, the time or the number of a process. */
export function asksForChance(before: string, after: string): boolean {
  if (!chance.test(after)) return false
  const known = new Set(before.split('\n'))
  return after.split('\n').some((line) => chance.test(line) && !known.has(line))
}
