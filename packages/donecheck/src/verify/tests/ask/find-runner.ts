import { resolve } from 'node:path'
import { lastCommandOf, type LastCommand } from './last-command.ts'
import { scriptCallOf, scriptsIn } from './package-script.ts'
import { runnerOf, type Runner, type RunnerCall } from './runner.ts'
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
  /** Those that we know to run before it, or after it in a hook of its script. */
  readonly others: readonly Runner[]
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
  const before = await runnersIn(last.before, place, depth)
  // A report of the last of several runners would tell of its tests alone.
  const insertAt = before.length === 0 ? last.insertAt : undefined
  const call = runnerOf(last.words)
  if (call !== undefined)
    return { ...call, insertAt, separators: [], assigned, isAlone, others: before, folder: place }
  const inner = await throughScript(last, place, depth)
  if (inner === undefined) return undefined
  return {
    ...inner,
    insertAt: inner.insertAt === undefined ? undefined : insertAt,
    assigned: [...assigned, ...inner.assigned],
    isAlone: isAlone && inner.isAlone,
    others: [...before, ...inner.others],
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
  const hooks = [`pre${called.script}`, `post${called.script}`].filter((name) => Object.hasOwn(scripts, name))
  const runs = hooks.map((name) => [words[0] ?? 'npm', 'run', name])
  const others = await runnersIn(runs, folder, depth + 1)
  return {
    ...inner,
    insertAt: hasTail || others.length > 0 ? undefined : inner.insertAt,
    others: [...inner.others, ...others],
    separators: [...called.separator, ...inner.separators],
    isAlone: inner.isAlone && hooks.length === 0,
  }
}

function programOfManager(
  words: readonly string[],
  { insertAt }: LastCommand,
  folder: string,
): FoundRunner | undefined {
  const call = words[0] === 'yarn' || words[0] === 'pnpm' ? runnerOf(words.slice(1)) : undefined
  if (call === undefined) return undefined
  return { ...call, insertAt, separators: [], assigned: [], isAlone: true, others: [], folder }
}

/** The runners that these commands come to. */
async function runnersIn(
  commands: readonly (readonly string[])[],
  folder: string,
  depth: number,
): Promise<readonly Runner[]> {
  const found: Runner[] = []
  for (const words of commands) {
    const call = runnerOf(words)
    if (call !== undefined) found.push(call.runner)
    const called = call === undefined ? scriptCallOf(unwrap(words)) : undefined
    const scripts = called === undefined ? {} : await scriptsIn(folder)
    const script =
      called !== undefined && Object.hasOwn(scripts, called.script) ? scripts[called.script] : undefined
    const inner = script === undefined ? undefined : await findRunner(script, folder, depth + 1)
    if (inner !== undefined) found.push(...inner.others, inner.runner)
  }
  return found
}

/** `env NAME=value` and `cross-env NAME=value` come as words. */
function assignedIn(word: string): readonly string[] {
  const name = /^([A-Za-z_]\w*)=/.exec(word)?.[1]
  return name === undefined ? [] : [name]
}
