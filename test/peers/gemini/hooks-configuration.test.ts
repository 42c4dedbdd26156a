/** The real Gemini CLI: our hooks come into its settings and go out of them again. */
import { gemini } from '../hooks/agents.ts'
import { tellsOfConfiguration } from '../hooks/configuration.ts'
import { geminiForeign } from '../hooks/foreign-settings.ts'

tellsOfConfiguration(gemini, geminiForeign)
