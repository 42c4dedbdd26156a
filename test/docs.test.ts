/** The texts agree with the tree: every check holds for it, and is shown to bite. */
import { describeGate } from './architecture/describe-gate.ts'
import { readTree } from './architecture/read-tree.ts'
import { checks } from './docs/checks.ts'
import { planted } from './docs/planted.ts'

const tree = readTree()

for (const check of checks) describeGate(check, tree, planted[check.name])
