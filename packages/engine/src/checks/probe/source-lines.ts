/** Which line a place of a text is on. */
export interface SourceLines {
  /** From 1. A line ends with its line feed. */
  lineAt(offset: number): number
}

export function sourceLines(text: string): SourceLines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return {
    lineAt(offset) {
      let [low, high] = [0, starts.length]
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if ((starts[middle] ?? Infinity) <= offset) low = middle
        else high = middle
      }
      return low + 1
    },
  }
}
