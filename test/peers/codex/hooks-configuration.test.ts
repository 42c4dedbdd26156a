/** The real Codex: our hooks come into its settings and go out of them again. */
import { codex } from '../hooks/agents.ts'
import { tellsOfConfiguration } from '../hooks/configuration.ts'
import { codexForeign } from '../hooks/foreign-settings.ts'

tellsOfConfiguration(codex, codexForeign)
