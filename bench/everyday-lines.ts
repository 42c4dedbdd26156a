import { readFileSync } from 'node:fs'

/**
 * Command lines as agents and people type them every day, one a line. `reading`: they only read, and no gate should ask for them,
 * with a sandbox or without. `working`: they change the project or run its programs; in a sandbox nobody should be asked.
 * `grave`: they leave the project, or lose something; they are asked for.
 */
export const everydayLines = {
  reading: linesOf('reading'),
  working: linesOf('working'),
  grave: linesOf('grave'),
} as const

/** A heredoc stays with the line that opens it. */
function linesOf(name: string): readonly string[] {
  const text = readFileSync(new URL(`everyday/${name}.txt`, import.meta.url), 'utf8')
  return [...text.matchAll(/^.*<<'EOF'\n[^]*?\nEOF$|^.+$/gm)].map(([line]) => line)
}
