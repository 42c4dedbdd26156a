/** The real Claude Code: our hooks come into its settings and go out of them again. */
import { claude } from '../hooks/agents.ts'
import { tellsOfConfiguration } from '../hooks/configuration.ts'
import { claudeForeign } from '../hooks/foreign-settings.ts'

tellsOfConfiguration(claude, claudeForeign)
