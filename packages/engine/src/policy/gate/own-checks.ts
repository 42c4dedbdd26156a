/** Command lines that run one check and nothing else. */
import { resolve } from 'node:path'
import { realPath } from '../../base/index.ts'

const readers = [
  String.raw`(?:head|tail)(?:[ \t]+-(?:[nc][ \t]*)?\+?\d+)*`,
  'cat',
  String.raw`wc(?:[ \t]+-[lwc]+)?`,
  String.raw`e?grep(?:[ \t]+-(?:[EFinvcowx]+|[ABCm][ \t]*\d+))*[ \t]+(?:[\w.=:/]+|'[^'\n]*'|"[^"$\x60\\!\n]*")`,
].join('|')

/** Merges stderr, and pipes to read-only programs without files or expansions. */
const reading = new RegExp(String.raw`^(?:[ \t]+2>&1)?(?:[ \t]*\|[ \t]*(?:${readers})(?:[ \t]+2>&1)?)*$`, 'u')

/** `cd FOLDER && ` with an optionally quoted folder. */
const changeFolder = /^cd\s+(?:"([^"$`\\]+)"|'([^']+)'|([\w@%+=:,./-]+))\s*&&\s*(.*)$/su

/**
 * Whether the line is a check in the work folder; `cd` to it, ` 2>&1` and `| tail -20` are allowed, further
 * arguments are not. @param folder absolute; where the line runs
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
  // Links are resolved last: the text tells most lines apart.
  return isCheck && realPath(resolve(folder, double ?? single ?? plain ?? '.')) === realPath(workFolder)
}
