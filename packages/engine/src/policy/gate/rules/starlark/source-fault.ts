/** What is wrong with a rule file, and where. Never leaves `rules/` but as a value. */

/** Both from 1; the column in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly position: Position

  constructor(position: Position, problem: string) {
    super(problem)
    this.position = position
  }
}

/** The language has it, and rule files have no need of it; `instead` says what to write. */
export function notUnderstood(position: Position, what: string, instead: string): SourceFault {
  return new SourceFault(position, `${what} is not understood here: ${instead}`)
}
