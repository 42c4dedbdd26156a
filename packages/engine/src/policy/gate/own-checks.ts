/** Command lines that run a check of the run and nothing else. */
import { resolve } from 'node:path'
import { realPath } from '../../base/index.ts'

const readers = [
  String.raw`(?:head|tail)(?:[ \t]+-(?:[nc][ \t]*)?\+?\d+)*`,
  'cat',
  String.raw`wc(?:[ \t]+-[lwc]+)?`,
  String.raw`e?grep(?:[ \t]+-(?:[EFinvcowx]+|[ABCm][ \t]*\d+))*[ \t]+(?:[\w.=:/]+|'[^'\n]*'|"[^"$\x60\\!\n]*")`,
].join('|')

/** Merges the error output, and pipes to programs that read it alone: no file, no text that a shell would expand. */
const reading = new RegExp(String.raw`^(?:[ \t]+2>&1)?(?:[ \t]*\|[ \t]*(?:${readers})(?:[ \t]+2>&1)?)*$`, 'u')

/** `cd FOLDER && ` before a line; the folder may be quoted. */
const changeFolder = /^cd\s+(?:"([^"$`\\]+)"|'([^']+)'|([\w@%+=:,./-]+))\s*&&\s*(.*)$/su

/**
 * Whether the line is exactly one of the checks, run in the work folder. `cd` to the work folder may stand before it, and
 * ` 2>&1` and readers of its output (`| tail -20`) after it. `npm test -- --update-snapshots` is another line than `npm test`.
 * @param folder absolute; where the line runs
 */
export function isOwnCheck(
  script: string,
  folder: string,
  { workFolder, checks }: { readonly workFolder: string; readonly checks: readonly string[] },
): boolean {
  const moved = changeFolder.exec(script.trim())
  const [, double, single, plain, rest = ''] = moved ?? []
  const line = (moved === null ? script : rest).trim()
  const isCheck = checks.some((check) => {
    const wanted = check.trim()
    return wanted !== '' && line.startsWith(wanted) && reading.test(line.slice(wanted.length))
  })
  // The disk is asked last: nearly every other line is told apart by its text.
  return isCheck && realPath(resolve(folder, double ?? single ?? plain ?? '.')) === realPath(workFolder)
}
