/** Counts how many times in a row, this one included, the same key was given. */
export function equalRun(): { readonly next: (key: string) => number; readonly reset: () => void } {
  let last: string | undefined
  let length = 0
  return {
    next(key) {
      length = key === last ? length + 1 : 1
      last = key
      return length
    },
    reset() {
      last = undefined
      length = 0
    },
  }
}
