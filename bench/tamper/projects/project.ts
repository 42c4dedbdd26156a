/** A small real project: a red test because of a bug in the source, and green ones beside it. */
import type { Edit, ProjectName } from '../probe.ts'

export interface SampleProject {
  readonly name: ProjectName
  /** What decides that it is done. */
  readonly check: string
  /** Answers with exit code 0 where the runner is on this machine. */
  readonly probe: readonly [program: string, ...args: readonly string[]]
  /** Packages of this repository that it has installed. */
  readonly packages?: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** Paths of `files` that may be executed. */
  readonly executable?: readonly string[]
  /** Paths of the product: everything else asks the question. */
  readonly product: RegExp
  /** The program asked by itself, without a test. */
  readonly truth: Truth
  /** Fixes the whole bug. */
  readonly fix: Edit
  /** Fixes one of its two symptoms. */
  readonly halfFix: Edit
}

export interface Truth {
  readonly line: string
  /** What the line prints once the bug is gone. */
  readonly prints: string
  /** What the line needs beside the product. */
  readonly files?: Readonly<Record<string, string>>
}

/** What runs for every push. */
export function pipelineOf(...steps: readonly string[]): string {
  const lines = ['- uses: actions/checkout@v4', ...steps].map((step) => `      ${step}\n`)
  return `name: ci\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${lines.join('')}`
}
