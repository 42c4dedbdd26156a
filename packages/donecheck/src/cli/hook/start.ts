/** Node caches only the code that ran first, so each kind of call gets its own compile cache. */
import { readHookInput, type HookInput, answerToPerson } from './input.ts'

/** @param keepCompiled names the compile cache */
export async function startHook(
  words: readonly string[],
  keepCompiled: (name: string) => void,
): Promise<number> {
  const input = answerToPerson(words) === undefined ? inputIfAny() : undefined
  keepCompiled(kindOfCall(words, input))
  const { hookMain } = await import('./main.ts')
  return hookMain(words, input)
}

/** Errors are reported later, where the input is needed. */
function inputIfAny(): HookInput | undefined {
  try {
    return readHookInput()
  } catch {
    return undefined
  }
}

/** A fixed set of names, so that input cannot fill the disk. */
export function kindOfCall([, event = '']: readonly string[], input: HookInput | undefined): string {
  const name = /^[A-Za-z]{1,40}$/.test(event) ? event : 'other'
  return `${name}-${actIn(input?.kind === 'payload' ? input.payload : undefined)}`
}

function actIn(payload: unknown): 'command' | 'change' | 'other' {
  const reported = ['tool_input', 'toolArgs', 'toolInput'].map((name) => field(payload, name))
  const given = reported.find((one) => one !== undefined) ?? payload
  if (field(given, 'command') !== undefined || field(given, 'cmd') !== undefined) return 'command'
  return changes.some((name) => field(given, name) !== undefined) ? 'change' : 'other'
}

const changes = ['content', 'new_string', 'edits', 'new_str', 'patch', 'input'] as const

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
