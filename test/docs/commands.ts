/** Command lines on a page are read as the command itself would read them; nothing is performed. */
import { decompose } from '@donecheck/engine/internal/analysis/shell'
import { complaintOfCall } from '../e2e/read-command.ts'

/** @returns what is wrong with a call of `donecheck` in a block of shell lines, or with one behind `$ ` in a block of the console */
export function complaintOfScript(text: string): string | undefined {
  const complaints = linesOf(text).flatMap((line) =>
    decompose(line).commands.flatMap(({ words }) => {
      const typed = words.map((word) => word.text ?? word.written)
      const start = typed[0] === 'npx' ? typed.indexOf('donecheck') : 0
      return typed[start] === 'donecheck' ? complaintOfCall(typed.slice(start + 1)) : []
    }),
  )
  return complaints.length === 0 ? undefined : complaints.join('; ')
}

/** Where a block shows what is printed, only lines behind a prompt are typed. A backslash joins a line with the next one. */
function linesOf(text: string): readonly string[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  const isConsole = lines.some((line) => line.startsWith('$ '))
  return isConsole ? lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2)) : lines
}
