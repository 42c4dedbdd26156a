/** How the tools of an agent are called: the same deed under the names of several well-known tool sets. */
import type { JsonValue } from '@donecheck/core/internal/events'

export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  chance(share: number): boolean
  /** @throws RangeError where there is nothing to pick from, or what is picked is undefined. */
  pick<T>(items: readonly T[]): T
  shuffled<T>(items: readonly T[]): readonly T[]
  hex(length: number): string
}

/** A call and what came back of it. */
export interface Call {
  readonly tool: string
  readonly args: Readonly<Record<string, JsonValue>>
  /** Null: nobody wrote it down. */
  readonly result: string | null
  readonly isError: boolean
}

export interface Dialect {
  readonly name: 'shell' | 'files' | 'editor' | 'capital'
  run(command: string, output: string, exitCode?: number): Call
  read(path: string, text: string, from?: number, lines?: number): Call
  /** @param result what the tool says; left out: that it was done. */
  edit(path: string, before: string, after: string, result?: string): Call
  write(path: string, text: string, result?: string): Call
  search(pattern: string, where: string, output: string): Call
  list(folder: string, output: string): Call
}

const call = (tool: string, args: Call['args'], result: string, isError = false): Call => ({
  tool,
  args,
  result,
  isError,
})

const isTrouble = (result: string) => /^(error|.*: no such file|.*not found)/i.test(result)

/** One tool for everything: mini-swe-agent and its like. */
const shell: Dialect = {
  name: 'shell',
  run: (command, output, exitCode = 0) =>
    call(
      'bash',
      { command },
      `<returncode>${exitCode}</returncode>\n<output>\n${output}\n</output>`,
      exitCode !== 0,
    ),
  read: (path, text, from, lines = 100) =>
    from === undefined
      ? shell.run(`cat ${path}`, text)
      : shell.run(`sed -n '${from},${from + lines - 1}p' ${path}`, text),
  edit: (path, before, after, result = '') =>
    shell.run(`sed -i 's/${before}/${after}/' ${path}`, result, isTrouble(result) ? 1 : 0),
  write: (path, text, result = '') => shell.run(`cat <<'EOF' > ${path}\n${text}\nEOF`, result),
  search: (pattern, where, output) =>
    shell.run(`grep -rn "${pattern}" ${where}`, output, output === '' ? 1 : 0),
  list: (folder, output) => shell.run(`ls ${folder}`, output),
}

/** Small tools with lower-case names: gemini-cli, OpenClaw and their like. */
const files: Dialect = {
  name: 'files',
  run: (command, output, exitCode = 0) =>
    call(
      'run_command',
      { command },
      exitCode === 0 ? output : `${output}\n(Command exited with code ${exitCode})`,
      exitCode !== 0,
    ),
  read: (path, text, from, limit = 100) =>
    call('read_file', from === undefined ? { path } : { path, offset: from, limit }, text, isTrouble(text)),
  edit: (path, oldText, newText, result = `Edited ${path}.`) =>
    call('edit_file', { path, oldText, newText }, result, isTrouble(result)),
  write: (path, content, result = `Wrote ${content.length} bytes to ${path}.`) =>
    call('write_file', { path, content }, result),
  search: (pattern, where, output) =>
    call('grep', { pattern, path: where }, output === '' ? 'No matches found' : output),
  list: (folder, output) => call('list_directory', { path: folder }, output),
}

/** One editor with sub-commands beside a shell: OpenHands and SWE-agent. */
const editor: Dialect = {
  name: 'editor',
  run: (command, output, exitCode = 0) =>
    call(
      'execute_bash',
      { command },
      `${output}\n[The command completed with exit code ${exitCode}.]`,
      exitCode !== 0,
    ),
  read: (path, text, from, lines = 100) =>
    call(
      'str_replace_editor',
      from === undefined
        ? { command: 'view', path }
        : { command: 'view', path, view_range: [from, from + lines - 1] },
      text,
      isTrouble(text),
    ),
  edit: (path, before, after, result = `The file ${path} has been edited.`) =>
    call(
      'str_replace_editor',
      { command: 'str_replace', path, old_str: before, new_str: after },
      result,
      isTrouble(result),
    ),
  write: (path, text, result = `File created successfully at: ${path}`) =>
    call('str_replace_editor', { command: 'create', path, file_text: text }, result),
  search: (pattern, where, output) =>
    editor.run(`grep -rn "${pattern}" ${where}`, output, output === '' ? 1 : 0),
  list: (folder, output) => call('str_replace_editor', { command: 'view', path: folder }, output),
}

/** Small tools with capital letters: Claude Code and its like. */
const capital: Dialect = {
  name: 'capital',
  run: (command, output, exitCode = 0) =>
    call(
      'Bash',
      { command, description: command.split(' ').slice(0, 2).join(' ') },
      exitCode === 0 ? output : `Exit code ${exitCode}\n${output}`,
      exitCode !== 0,
    ),
  read: (path, text, from, limit = 100) =>
    call(
      'Read',
      from === undefined ? { file_path: path } : { file_path: path, offset: from, limit },
      text,
      isTrouble(text),
    ),
  edit: (path, before, after, result = `The file ${path} has been updated.`) =>
    call('Edit', { file_path: path, old_string: before, new_string: after }, result, isTrouble(result)),
  write: (path, content, result = `File created successfully at: ${path}`) =>
    call('Write', { file_path: path, content }, result),
  search: (pattern, where, output) =>
    call(
      'Grep',
      { pattern, path: where, output_mode: 'content' },
      output === '' ? 'No matches found' : output,
    ),
  list: (folder, output) => call('LS', { path: folder }, output),
}

const dialects: readonly Dialect[] = [shell, files, editor, capital]

export function dialectFrom(random: Random): Dialect {
  return random.pick(dialects)
}
