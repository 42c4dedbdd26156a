/** The real Gemini CLI with our hooks, and checks that can say nothing. */
import { gemini } from '../hooks/agents.ts'
import { tellsOfBrokenChecks } from '../hooks/broken-checks.ts'

tellsOfBrokenChecks(gemini)
