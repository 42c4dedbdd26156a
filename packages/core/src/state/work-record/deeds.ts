/** What one call did to the work, as far as its words say: it ran tests, ran a program, wrote, removed, or did something else. */
import type { JsonValue, ToolEffect } from '../../events/index.ts'
import { commandKeys, looks, textAt, valueAt } from '../activity/index.ts'
import {
  bareWords,
  filesChangedBy,
  isLookingCommand,
  isTestCommand,
  isWritingText,
  programOf,
  filesRemovedBy,
  testRunner,
  testTargets,
} from './command-words.ts'
import { splitCommand, type SimpleCommand } from './split-command.ts'

export type Deed =
  /** `runner`: the file that runs them, where it is none that is installed. */
  | {
      readonly kind: 'tests'
      readonly runner: string | null
      readonly files: readonly string[]
      readonly exitIsIts: boolean
    }
  /** `path` null: the program stands in the call itself. */
  | { readonly kind: 'program'; readonly path: string | null; readonly writes: boolean }
  /** `text`: the whole of the file, where the call brings it. `path` null: nobody knows which. */
  | { readonly kind: 'write'; readonly path: string | null; readonly text?: string }
  | { readonly kind: 'removal'; readonly paths: readonly string[] }
  /** Something else was run. */
  | { readonly kind: 'command' }

const editingTool =
  /^(?:(?:[Ee]dit|[Ww]rite|[Mm]ulti_?[Ee]dit|[Nn]otebook_?[Ee]dit|str_replace|[Aa]pply_?[Pp]atch)(?:$|_|[A-Z])|(?:[Cc]reate|[Aa]ppend|[Ii]nsert|[Rr]eplace|delete|rename|move)(?:$|_?(?:[Ff]ile|[Ll]ines?|[Tt]ext|in_file|to_file)))/
const wholeWriting = /^(?:write|create)/i
const viewing = /^(?:view|read|open|cat)$/
const pathKeys = ['path', 'file_path', 'filePath', 'filename', 'file', 'target_file', 'notebook_path']
const textKeys = ['content', 'contents', 'file_text', 'text', 'new_source']
/** Tools that run what they are given as a program, not as a command line. */
const programTool = /^(?:ipython|python|jupyter|execute_python|run_python|code_interpreter)/i
const commandTool = /(?:bash|shell|exec|terminal|command|run|cmd|console)/i

/** @param effect what the tool says of itself; undefined: nobody knows */
export function deedsOf(tool: string, args: JsonValue, effect: ToolEffect | undefined): readonly Deed[] {
  const command = textAt(args, 'command')
  if (isEditing(tool, effect))
    return command !== undefined && viewing.test(command) ? [] : [writeOf(tool, command ?? '', args)]
  const line = commandLineOf(args)
  if (line !== undefined && programTool.test(tool)) return programText(line)
  if (textAt(args, 'code') === line && line !== undefined) return programText(line)
  if (line !== undefined && (commandTool.test(tool) || effect === 'execute')) return deedsOfLine(line)
  return looks(tool, effect, args) ? [] : [{ kind: 'command' }]
}

/** The tool is there to change files. */
export function isEditing(tool: string, effect: ToolEffect | undefined): boolean {
  return effect === 'write' || (effect !== 'read' && editingTool.test(tool))
}

function programText(text: string): readonly Deed[] {
  return isEmpty(text) ? [] : [{ kind: 'program', path: null, writes: isWritingText(text) }]
}

/** Nothing, or comments alone: whoever runs it has run nothing. */
function isEmpty(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:(?:#|\/\/).*)?$/.test(line))
}

function writeOf(tool: string, command: string, args: JsonValue): Deed {
  const path = pathKeys.map((key) => textAt(args, key)).find((value) => value !== undefined) ?? null
  const text = textKeys.map((key) => textAt(args, key)).find((value) => value !== undefined)
  const isWhole = wholeWriting.test(tool) || command === 'create'
  return isWhole && text !== undefined ? { kind: 'write', path, text } : { kind: 'write', path }
}

/** Undefined: there is none among the arguments. */
export function commandLineOf(args: JsonValue): string | undefined {
  if (typeof args === 'string') return args
  for (const key of commandKeys) {
    const value = valueAt(args, key)
    if (typeof value === 'string') return value
    const last = Array.isArray(value) ? (value as readonly JsonValue[]).at(-1) : undefined
    if (typeof last === 'string') return last
  }
  return undefined
}

export function deedsOfLine(line: string): readonly Deed[] {
  const commands = splitCommand(line)
  return commands.flatMap((command, at) => deedsOfCommand(command, () => decidesExit(commands, at)))
}

/** The exit code of the line is that of this command, if it failed; and if the line did not fail, it did not either. */
function decidesExit(commands: readonly SimpleCommand[], at: number): boolean {
  const { length } = commands
  return commands.slice(at).every(({ then }, after) => at + after === length - 1 || then === '&&')
}

function deedsOfCommand(command: SimpleCommand, exitIsIts: () => boolean): readonly Deed[] {
  const words = bareWords(command.words)
  const written = command.into.filter(({ path }) => !/^(?:\/dev\/|&)/.test(path))
  const isWriter = ['cat', 'echo', 'printf', 'tee'].includes(words[0] ?? '')
  const text = command.input ?? (words[0] === 'cat' ? undefined : words.slice(1).join(' '))
  const writes = written.map(({ path, appends }): Deed =>
    isWriter && !appends && text !== undefined ? { kind: 'write', path, text } : { kind: 'write', path },
  )
  if (words.length === 0) return writes
  if (isTestCommand(words))
    return [{ kind: 'tests', runner: testRunner(words), files: testTargets(words), exitIsIts: exitIsIts() }]
  const removed = filesRemovedBy(words)
  if (removed !== undefined) return [{ kind: 'removal', paths: removed }]
  const changed = filesChangedBy(words)
  if (changed !== undefined)
    return changed.length === 0
      ? [{ kind: 'write', path: null }]
      : changed.map((path): Deed => textOfTee(words, path, command.input))
  if (isLookingCommand(words)) return isWriter || written.length === 0 ? writes : []
  const program = programOf(words, command.input)
  if (program === undefined) return [{ kind: 'command' }]
  return program.kind === 'file'
    ? [{ kind: 'program', path: program.path, writes: false }]
    : programText(program.text)
}

function textOfTee([first]: readonly string[], path: string, input: string | undefined): Deed {
  return first === 'tee' && input !== undefined
    ? { kind: 'write', path, text: input }
    : { kind: 'write', path }
}
