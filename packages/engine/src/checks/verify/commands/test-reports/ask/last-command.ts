import { parse, type Command, type Statement } from 'unbash'

/** The last simple command of a line, where no other command can stand for it. */
export interface LastCommand {
  /** Without assignments and redirections; quotes taken off. */
  readonly words: readonly string[]
  /** Names that are set for it alone, or by the commands before it. */
  readonly assigned: readonly string[]
  /** Behind its last word, as an offset in the line: where words can be added. */
  readonly insertAt: number
  /** Folders that are entered before it, in order. */
  readonly entered: readonly string[]
  /** Commands before it other than `cd`, `export`, `set` and assignments, as words. */
  readonly before: readonly (readonly string[])[]
}

/**
 * The last command of `a && b` or of statements one after another. Undefined for what is no list of simple commands,
 * what runs in the background, and what cannot be parsed.
 */
export function lastCommandOf(line: string): LastCommand | undefined {
  const script = parse(line)
  if (script.errors !== undefined && script.errors.length > 0) return undefined
  const commands = script.commands.map(commandsOf)
  if (!commands.every((one) => one !== undefined)) return undefined
  const all = commands.flat()
  const last = all.at(-1)
  const insertAt = last === undefined ? undefined : endOfWords(last)
  if (last === undefined || insertAt === undefined) return undefined
  const earlier = all.slice(0, -1)
  return {
    words: wordsOf(last),
    assigned: all.flatMap(assignedBy),
    insertAt,
    entered: earlier.map(wordsOf).flatMap(([name, folder]) => (name === 'cd' ? [folder ?? '~'] : [])),
    before: earlier.map(wordsOf).filter(([name]) => name !== undefined && !preparing.has(name)),
  }
}

const preparing = new Set(['cd', 'export', 'set'])

function commandsOf({ command, background }: Statement): readonly Command[] | undefined {
  if (background === true) return undefined
  if (command.type === 'Command') return [command]
  if (command.type !== 'AndOr' || command.operators.some((operator) => operator !== '&&')) return undefined
  const commands = command.commands.filter((one) => one.type === 'Command')
  return commands.length === command.commands.length ? commands : undefined
}

function wordsOf({ name, args }: Command): readonly string[] {
  return [name, ...args].flatMap((word) => (word?.type === 'Word' ? [word.value] : []))
}

function endOfWords(command: Command): number | undefined {
  const ends = [command.name, ...command.args].flatMap((word) => (word === undefined ? [] : [word.end]))
  return ends.length === 0 ? undefined : Math.max(...ends)
}

function assignedBy({ prefix, args }: Command): readonly string[] {
  return [...prefix, ...args].flatMap((one) => (one.type === 'Assignment' ? [one.name] : []))
}
