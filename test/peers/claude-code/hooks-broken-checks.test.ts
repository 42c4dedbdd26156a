/** The real Claude Code with our hooks, and checks that can say nothing. */
import { claude } from '../hooks/agents.ts'
import { tellsOfBrokenChecks } from '../hooks/broken-checks.ts'

tellsOfBrokenChecks(claude)
