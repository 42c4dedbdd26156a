/** Sources whose text no rule sees: bytes that are no text, texts beyond all measure, links to another place. */
import type { FileChange, FileVersion } from '../change.ts'
import type { TamperFinding } from '../finding.ts'

/** Longer texts are no source that anybody wrote. Characters. */
export const maxLength = 2 ** 19

/** Endings of what is run, imported or compiled. */
const sources =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|pyx|go|rs|java|kts?|scala|groovy|cs|swift|php|pl|pm|rb|lua|exs?|c|h|cc|cpp|cxx|hpp|sh|bash|zsh|ksh|dash|awk)$/u

/** What became unreadable, or came as such. What could not be read before either is not new. `changes`: all of them. */
export function unreadFindings(
  { path, before, after }: FileChange,
  changes: readonly FileChange[],
): readonly TamperFinding[] {
  if (after === null) return []
  const isSource = sources.test(path)
  if (after.kind === 'symlink') {
    // Links to data, environments and build output are usual; one in the place of a file or a folder is not.
    const isInPlace =
      isSource || changes.some((one) => one.before !== null && `${one.path}/`.startsWith(`${path}/`))
    if (!isInPlace || !leaves(path, after.text)) return []
    return [
      {
        rule: 'source.unreadable',
        path,
        message: `it is a link to ${after.text ?? 'another place'}, out of the work folder`,
      },
    ]
  }
  if (isRead(after)) return []
  if (isSource && (before === null || isRead(before)))
    return [
      { rule: 'source.unreadable', path, message: 'it is no text, or too long, so that nobody reads it' },
    ]
  return after.text === null
    ? []
    : [{ rule: 'source.unreadable', path, message: 'it is too long to be read', atMost: 'note' }]
}

function isRead({ text }: FileVersion): boolean {
  return text !== null && text.length <= maxLength
}

/** Whether a link in the place of `path` shows something outside of the work folder. A target that is no text may. */
function leaves(path: string, target: string | null): boolean {
  if (target === null || /^(?:[/\\]|[A-Za-z]:)/u.test(target)) return true
  let depth = path.split('/').length - 1
  return target.split('/').some((part) => {
    depth += part === '..' ? -1 : part === '' || part === '.' ? 0 : 1
    return depth < 0
  })
}
