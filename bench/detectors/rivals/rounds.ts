/**
 * Rounds of the shortest cycle that the keys end in, of period 2 up to `maxPeriodLength`; 0 while there is none. A round counts
 * when its last key is there. Equal keys alone are no cycle.
 */
export function rounds(maxPeriodLength: number): { readonly next: (key: string) => number } {
  let recent: readonly string[] = []
  const matched = Array.from({ length: maxPeriodLength + 1 }, () => 0)
  return {
    next(key) {
      for (let period = 1; period <= maxPeriodLength; period += 1) {
        const isSame = recent[recent.length - period] === key
        matched[period] = isSame ? (matched[period] ?? 0) + 1 : 0
      }
      recent = [...recent, key].slice(-maxPeriodLength)
      for (let period = 2; period <= maxPeriodLength; period += 1) {
        const length = matched[period] ?? 0
        const isUniform = (matched[1] ?? 0) >= period - 1
        if (length >= period && !isUniform && length % period === 0) return length / period + 1
      }
      return 0
    },
  }
}
