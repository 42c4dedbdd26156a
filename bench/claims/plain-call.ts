/** A call of a source with words of its own, as the call of a tool that agents in use have. */
import type { RecordedTurn } from '@donecheck/engine/recordings'

type Call = RecordedTurn['toolCalls'][number]

/** Nothing but lines for a shell, and comments. */
const isShell = /^(?:\s*(?:#.*)?\n)*\s*[!%]/

/** Cells of a notebook: a line for a shell begins with `!`, an edit says what it changes, the rest is a program. */
export function plainCall(call: Call, file: string): Call {
  const content = file === 'super' && call.name === 'execute' ? textAt(call.args, 'content') : undefined
  if (content === undefined) return call
  // Of a cell that waits or is broken off nothing is told but that.
  if (/^(?:action: )?\{\s*"type":/.test(content)) return { ...call, name: 'wait', args: {} }
  const edited = /^EDITING `([^\s`]+?)\.? /.exec(content)?.[1]
  if (edited !== undefined) return { ...call, name: 'edit_file', args: { path: edited } }
  return isShell.test(content)
    ? {
        ...call,
        name: 'bash',
        args: { command: content.replace(/^\s*%%bash$/gm, '').replace(/^\s*[!%]/gm, '') },
      }
    : { ...call, name: 'python', args: { code: content } }
}

function textAt(args: Call['args'], key: string): string | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined
  const value: unknown = Object.hasOwn(args, key) ? Reflect.get(args, key) : undefined
  return typeof value === 'string' ? value : undefined
}
