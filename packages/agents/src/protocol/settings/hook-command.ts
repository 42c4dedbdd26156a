/** The line of shell that an agent runs for a hook of ours: made, and known again. Pure. */

export interface HookCommand {
  /** The Node that runs it. Absolute: whoever changes the PATH of the agent does not change it. */
  readonly node: string
  /** The program of this installation. Absolute. */
  readonly program: string
  readonly agent: string
  /** The event, or the word that stands for it. */
  readonly word: string
  /** Of a hook that verifies: when the agent takes it for hanging. */
  readonly timeoutSeconds?: number
}

/**
 * A program that is gone must not be mistaken for a check that is red: some agents take exit code 127 for a block, and are
 * then held for ever, others say nothing at all. So the line looks first, and tells the person.
 * @param goneAnswer as the agent understands it
 */
export function hookLine(command: HookCommand, goneAnswer: string, isWindows = false): string {
  const { node, program, agent, word, timeoutSeconds } = command
  const quote = isWindows ? windowsWord : shellWord
  const limit = timeoutSeconds === undefined ? [] : ['--timeout', String(timeoutSeconds)]
  const words = [quote(node), quote(program), 'hook', agent, word, ...limit].join(' ')
  if (isWindows) return words
  return `[ -x ${quote(node)} ] && [ -f ${quote(program)} ] && exec ${words}; echo ${shellWord(goneAnswer)}`
}

const shellPattern =
  /(?:^|&& exec )('(?:[^']|'\\'')+'|[^\s'";]+) ('(?:[^']|'\\'')+'|[^\s'";]+) hook (\S+) ([A-Za-z]+)(?: --timeout (\d+))?(?=; echo |$)/
const windowsPattern = /^("[^"]+"|\S+) ("[^"]+"|\S+) hook (\S+) ([A-Za-z]+)(?: --timeout (\d+))?$/

/** A line that `hookLine` made, of this version or an earlier one; undefined for whatever is not ours. */
export function parseHookLine(line: string): HookCommand | undefined {
  const parts = shellPattern.exec(line) ?? windowsPattern.exec(line)
  const [, node, program, agent, word, timeout] = parts ?? []
  if (node === undefined || program === undefined || agent === undefined || word === undefined)
    return undefined
  const path = stripQuotes(program)
  if (!/(?:^|[/\\])donecheck(?:\.js)?$/.test(path)) return undefined
  return {
    ...{ node: stripQuotes(node), program: path, agent, word },
    ...(timeout === undefined ? {} : { timeoutSeconds: Number(timeout) }),
  }
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function windowsWord(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`
}

function stripQuotes(word: string): string {
  if (word.startsWith('"')) return word.slice(1, -1)
  return word.startsWith("'") ? word.slice(1, -1).replaceAll(`'\\''`, "'") : word
}
