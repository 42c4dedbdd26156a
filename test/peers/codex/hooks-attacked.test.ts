/** The real Codex, whose hooks are tampered with and killed. */
import { codex } from '../hooks/agents.ts'
import { tellsOfKills } from '../hooks/kills.ts'
import { tellsOfTampering } from '../hooks/tampering.ts'

tellsOfTampering(codex, ['deletes its settings', 'deletes them all'])
tellsOfKills(codex)
