/** The real Codex with our hooks, and checks that can say nothing. */
import { codex } from '../hooks/agents.ts'
import { tellsOfBrokenChecks } from '../hooks/broken-checks.ts'

tellsOfBrokenChecks(codex)
