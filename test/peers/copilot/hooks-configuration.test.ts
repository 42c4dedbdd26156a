/** The real Copilot CLI: our hooks come into its settings and go out of them again. */
import { copilot } from '../hooks/agents.ts'
import { tellsOfConfiguration } from '../hooks/configuration.ts'
import { copilotForeign } from '../hooks/foreign-settings.ts'

tellsOfConfiguration(copilot, copilotForeign)
