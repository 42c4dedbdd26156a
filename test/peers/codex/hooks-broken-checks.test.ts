/** The real Codex with our hooks, and a check that does not end. */
import { codex } from '../hooks/agents.ts'
import { tellsOfEndlessChecks } from '../hooks/broken-checks.ts'

tellsOfEndlessChecks(codex)
