/** What git's plumbing prints for `--raw --numstat -z`: one record for each path, twice. Pure. */

export interface DiffRecord {
  readonly path: string
  readonly status: string
  readonly newMode: string
  /** Of the blob before; zeros where there was none. */
  readonly oldId: string
  /** Of the blob after; zeros where there is none, or git has not stored it. */
  readonly newId: string
  /** Undefined: git takes it for binary. */
  readonly addedLines: number | undefined
  readonly removedLines: number | undefined
}

const rawHeader = /^:\d{6} (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/u
const numberLine = /^(-|\d+)\t(-|\d+)\t(.+)$/su

/**
 * @param answer of a diff without renames, so that each record has one path
 * @throws {SyntaxError} for anything else
 */
export function readDiffRecords(answer: string): readonly DiffRecord[] {
  const parts = answer.split('\0')
  const records: Omit<DiffRecord, keyof Lines>[] = []
  const lines = new Map<string, Lines>()
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? ''
    if (part === '') continue
    const header = rawHeader.exec(part)
    if (header !== null) {
      const [, newMode = '', oldId = '', newId = '', status = ''] = header
      index += 1
      records.push({ path: parts[index] ?? '', status, newMode, oldId, newId })
      continue
    }
    const [, added = '', removed = '', path = ''] = numberLine.exec(part) ?? []
    if (path === '') throw new SyntaxError(`git answered what is not understood: ${JSON.stringify(part)}`)
    lines.set(path, { addedLines: numberOf(added), removedLines: numberOf(removed) })
  }
  return records.map((record) => ({ ...record, ...(lines.get(record.path) ?? noLines) }))
}

type Lines = Pick<DiffRecord, 'addedLines' | 'removedLines'>

const noLines: Lines = { addedLines: 0, removedLines: 0 }

function numberOf(text: string): number | undefined {
  return text === '-' ? undefined : Number(text)
}
