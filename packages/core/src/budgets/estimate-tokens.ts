/**
 * A guess of how many tokens a text costs: one for every 3.5 characters, rounded up. It errs on the high side for
 * English and code; it is only used until a provider reports real usage (see `evolve`).
 */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3.5)
}
