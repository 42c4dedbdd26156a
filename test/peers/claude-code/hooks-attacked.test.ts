/** The real Claude Code, whose hooks are tampered with and killed. */
import { claude } from '../hooks/agents.ts'
import { tellsOfKills } from '../hooks/kills.ts'
import { tellsOfTampering } from '../hooks/tampering.ts'

tellsOfTampering(claude, ['empties its settings', 'deletes the state'])
tellsOfKills(claude)
