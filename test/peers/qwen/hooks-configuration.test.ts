/** The real Qwen Code: our hooks come into its settings and go out of them again. */
import { qwen } from '../hooks/agents.ts'
import { tellsOfConfiguration } from '../hooks/configuration.ts'
import { qwenForeign } from '../hooks/foreign-settings.ts'

tellsOfConfiguration(qwen, qwenForeign)
