/** The real Gemini CLI with our hooks, and a check that does not end. */
import { gemini } from '../hooks/agents.ts'
import { tellsOfEndlessChecks } from '../hooks/broken-checks.ts'

tellsOfEndlessChecks(gemini)
