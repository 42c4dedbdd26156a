/**
 * Models that came out in 2025 or 2026, by name. Runs of these hardly loop, so a rule can only harm there. A model that is not
 * in the list, or whose name the source does not give, is not counted as newest.
 */
const names: readonly RegExp[] = [
  /gemini-?(2[.-]5|3)/,
  /gpt-?(4\.[15]|5|oss)/,
  /claude-(3[.-]7|((opus|sonnet|haiku)-)?[4-9])/,
  /\b(o3|o4)(-|$)/,
  /codex/,
  /grok-?(3|4|code)/,
  /deepseek.*(r1|v3[.-][1-9]|0324)/,
  /qwen-?3/,
  /kimi-?k2/,
  /glm-?(4[.-][5-9]|5)/,
  /minimax-?m/,
  /llama-?4/,
  /devstral|magistral|mistral-(small|medium|large)-?3/,
]

export function isNewestModel(model: string | null): boolean {
  const name = model?.toLowerCase().replaceAll(/[\s_]+/g, '-') ?? ''
  return names.some((pattern) => pattern.test(name))
}
