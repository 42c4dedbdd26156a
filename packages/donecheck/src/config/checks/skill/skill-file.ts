/**
 * A skill: front matter, then Markdown. What stands under `Verification`, `Completion conditions` and headings that mean the same
 * becomes conditions, each with the line that it stands in.
 *
 * @example
 * ---
 * name: monthly-report
 * description: Write the report of a month.
 * ---
 * ## Verification
 * - `npm test` passes
 * - `out/report.json` is written
 * - `out/report.json` matches `schemas/report.schema.json`
 * - The summary names the three largest changes
 */
import { UsageError } from '@donecheck/engine/base'
import { conditionsOf, type Condition } from './condition.ts'
import { readFrontMatter } from './front-matter.ts'
import { conditionPieces } from './pieces.ts'

export interface SkillFile {
  /** Undefined: the file does not say it. */
  readonly name: string | undefined
  readonly description: string | undefined
  /** Keys of the front matter; undefined: there is none. */
  readonly keys: readonly string[] | undefined
  /** Without the front matter. */
  readonly body: string
  readonly conditions: readonly Condition[]
}

const maxCharacters = 262_144

/**
 * @param file its name, for messages
 * @throws {UsageError} with the line, for front matter that cannot be read; for a text that is far too long
 */
export function readSkill(text: string, file: string): SkillFile {
  if (text.length > maxCharacters)
    throw new UsageError(`${file} has ${text.length} characters; a skill has at most ${maxCharacters}`)
  const lines = text.replace(/^\u{FEFF}/u, '').split(/\r?\n/)
  const { keys, name, description, body, bodyLine } = readFrontMatter(lines, file)
  return {
    name: name === '' ? undefined : name,
    description: description === '' ? undefined : description,
    keys,
    body: body.join('\n').trim(),
    conditions: conditionsOf(conditionPieces(withoutComments(body), bodyLine)),
  }
}

/** Nobody who reads the page sees them. The lines stay where they are. */
function withoutComments(lines: readonly string[]): readonly string[] {
  let isOpen = false
  return lines.map((line) => {
    let rest = line
    let seen = ''
    while (rest !== '') {
      const sign = isOpen ? '-->' : '<!--'
      const at = rest.indexOf(sign)
      if (!isOpen) seen += at === -1 ? rest : rest.slice(0, at)
      if (at === -1) break
      rest = rest.slice(at + sign.length)
      isOpen = !isOpen
    }
    return seen
  })
}
