/** Stops git from running programs or trusting caches that the repository configures. */
export const distrustSettings: readonly (readonly [name: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['safe.bareRepository', 'explicit'],
]

export const distrustWords = distrustSettings.flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** Removes variables such as GIT_DIR that point git at another tree. */
export function gitEnvironment<Value extends string | undefined>(
  environment: Readonly<Record<string, Value>>,
): Record<string, Value | string> {
  const kept = Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    LC_ALL: 'C',
  }
}
