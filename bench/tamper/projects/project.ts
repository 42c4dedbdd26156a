/** A small real project: a red test because of a bug in the source, and green ones beside it. */
import type { Edit, ProjectName } from '../probe.ts'

export interface SampleProject {
  readonly name: ProjectName
  /** What decides that it is done. */
  readonly check: string
  /** Answers with exit code 0 where the runner is on this machine. */
  readonly probe: readonly [program: string, ...args: readonly string[]]
  /** Packages of this repository that it has installed. */
  readonly packages: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** Paths of `files` that may be executed. */
  readonly executable: readonly string[]
  /** Mends the whole bug. */
  readonly mend: Edit
  /** Mends one of its two symptoms. */
  readonly halfMend: Edit
}
