import { resolve } from 'node:path'
import { lastCommandOf, type LastCommand } from './last-command.ts'
import { scriptCallOf, scriptsIn } from './package-script.ts'
import { runnerOf, type RunnerCall } from './runner.ts'
import { unwrap } from './unwrap.ts'

/** Which test runner a line comes to in the end. */
export interface FoundRunner extends RunnerCall {
  /** Where words for the runner can be put into the line; undefined: they cannot be without changing what is run. */
  readonly insertAt: number | undefined
  /** What must stand before them, one layer of scripts after the other. */
  readonly separators: readonly string[]
  /** Names of the environment that the line or its scripts set by themselves. */
  readonly assigned: readonly string[]
  /** The exit code is this runner's alone: nothing else runs before or after it. */
  readonly isAlone: boolean
  /** Where it runs. */
  readonly folder: string
}

const deepestScript = 5

/** Follows scripts of package.json, also those that run others. Undefined: no runner that we know. */
export async function findRunner(line: string, folder: string, depth = 0): Promise<FoundRunner | undefined> {
  const last = lastCommandOf(line)
  if (last === undefined || depth > deepestScript) return undefined
  const place = resolve(folder, ...last.entered)
  const assigned = [...last.assigned, ...last.words.flatMap(assignedIn)]
  const isAlone = last.before.length === 0
  const call = runnerOf(last.words)
  if (call !== undefined) {
    const canAdd = !(await runsTestsBefore(last, place))
    const insertAt = canAdd ? last.insertAt : undefined
    return { ...call, insertAt, separators: [], assigned, isAlone, folder: place }
  }
  const inner = await throughScript(last, place, depth)
  if (inner === undefined) return undefined
  return {
    ...inner,
    insertAt: inner.insertAt === undefined ? undefined : last.insertAt,
    assigned: [...assigned, ...inner.assigned],
    isAlone: isAlone && inner.isAlone,
  }
}

async function throughScript(
  last: LastCommand,
  folder: string,
  depth: number,
): Promise<FoundRunner | undefined> {
  const words = unwrap(last.words)
  const called = scriptCallOf(words)
  if (called === undefined) return undefined
  const scripts = await scriptsIn(folder)
  const script = Object.hasOwn(scripts, called.script) ? scripts[called.script] : undefined
  // Yarn and pnpm run an installed program where there is no script of that name.
  if (script === undefined) return programOfManager(words, last, folder)
  const inner = await findRunner(script, folder, depth + 1)
  if (inner === undefined) return undefined
  const hasTail = script.slice(inner.insertAt ?? 0).trim() !== ''
  const hasHooks =
    Object.hasOwn(scripts, `pre${called.script}`) || Object.hasOwn(scripts, `post${called.script}`)
  return {
    ...inner,
    insertAt: hasTail ? undefined : inner.insertAt,
    separators: [...called.separator, ...inner.separators],
    isAlone: inner.isAlone && !hasHooks,
  }
}

function programOfManager(
  words: readonly string[],
  { insertAt }: LastCommand,
  folder: string,
): FoundRunner | undefined {
  const call = words[0] === 'yarn' || words[0] === 'pnpm' ? runnerOf(words.slice(1)) : undefined
  if (call === undefined) return undefined
  return { ...call, insertAt, separators: [], assigned: [], isAlone: true, folder }
}

/** A report of the last of several runners would tell of its tests alone. */
async function runsTestsBefore({ before }: LastCommand, folder: string): Promise<boolean> {
  for (const words of before) {
    if (runnerOf(words) !== undefined) return true
    const called = scriptCallOf(unwrap(words))
    const script = called === undefined ? undefined : (await scriptsIn(folder))[called.script]
    if (script !== undefined && (await findRunner(script, folder, 1)) !== undefined) return true
  }
  return false
}

/** `env NAME=value` and `cross-env NAME=value` come as words. */
function assignedIn(word: string): readonly string[] {
  const name = /^([A-Za-z_]\w*)=/.exec(word)?.[1]
  return name === undefined ? [] : [name]
}
