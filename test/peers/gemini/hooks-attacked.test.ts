/** The real Gemini CLI, whose hooks are tampered with and killed. */
import { gemini } from '../hooks/agents.ts'
import { tellsOfKills } from '../hooks/kills.ts'
import { tellsOfTampering } from '../hooks/tampering.ts'

tellsOfTampering(gemini, ['deletes them all'])
tellsOfKills(gemini)
