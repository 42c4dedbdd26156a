/** How far our estimate of a prompt is from what the provider counts, learned from its latest answers. */

/** Servers that count only what was not in their cache, or that cut the prompt silently, report far too little. */
const lowest = 0.8
/** Scripts with a token per character cost 3.5 times the estimate. */
const highest = 4

/** Before the first answer. */
export const noCalibration = 1

/** Upwards at once, because a prompt that is too long is refused; downwards by halves. */
export function recalibrate(calibration: number, estimatedTokens: number, realTokens: number): number {
  if (estimatedTokens <= 0) return calibration
  const seen = Math.min(highest, Math.max(lowest, realTokens / estimatedTokens))
  return seen >= calibration ? seen : (seen + calibration) / 2
}
