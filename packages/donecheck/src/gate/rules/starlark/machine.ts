/** What a rule file may cost, and the complaint where it costs more. */
import { SourceFault, type Position } from './source-fault.ts'

const maxSteps = 100_000
/** Characters and items that come into being, all together. */
const maxSize = 2_000_000
/** Values in values, and calls in calls. */
const maxDepth = 500

/** One run of one file. */
export class Machine {
  /** Where it is; for complaints. */
  position: Position = { line: 1, column: 1 }
  private steps = 0
  private size = 0
  private depth = 0

  fault(problem: string): SourceFault {
    return new SourceFault(this.position, problem)
  }

  /** @throws SourceFault where it goes on for too long */
  step(count = 1): void {
    this.steps += count
    if (this.steps > maxSteps)
      throw this.fault(`more than ${maxSteps} steps: a rule file must not run for ever`)
  }

  /** Before so much is made. @throws SourceFault where it is too much */
  make(amount: number): void {
    this.size += amount
    if (this.size > maxSize) throw this.fault(`values of more than ${maxSize} characters and items`)
  }

  /** @throws SourceFault where it is nested too deeply */
  nested<Result>(run: () => Result): Result {
    if (this.depth >= maxDepth)
      throw this.fault(`more than ${maxDepth} levels of values or calls in one another`)
    this.depth += 1
    try {
      return run()
    } finally {
      this.depth -= 1
    }
  }
}
