/** Which models are kin: they err alike, so one of them is a poor judge of another. */

/** By the names of models, the first that fits; then by the names of those who make them, and of their agents. */
const families: readonly (readonly [family: string, names: RegExp])[] = [
  ['deepseek', /deepseek/],
  ['claude', /claude/],
  ['gpt', /\b(chat)?gpt|\bo[1-9](-|$|\b)|\bcodex\b/],
  ['gemini', /gemini|gemma/],
  ['llama', /llama/],
  ['qwen', /qwen|\bqwq\b/],
  ['mistral', /(mis|mix|codes|devs|minis|magis)tral/],
  ['grok', /\bgrok/],
  ['kimi', /\bkimi\b|moonshot/],
  ['glm', /\bglm\b|\bglm-/],
  ['command', /\bcommand-[ar]/],
  ['phi', /\bphi-?\d/],
  ['nova', /\bnova-/],
  ['claude', /anthropic/],
  ['gpt', /openai(?!-compatible)/],
  ['gemini', /google/],
]

/**
 * The family of a model or of an agent by its name, such as `anthropic/claude-opus-4-5`, `claude`, or the name that a server
 * of one's own has for it. Undefined: nobody knows.
 */
export function familyOf(name: string): string | undefined {
  // Served by Ollama says nothing of whose model it is.
  const known = name.toLowerCase().replaceAll('ollama', '')
  return families.find(([, names]) => names.test(known))?.[0]
}
