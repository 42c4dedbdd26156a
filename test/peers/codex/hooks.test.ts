/** The real Codex with the hooks that `donecheck install` writes: its word is not believed. */
import { codex } from '../hooks/agents.ts'
import { tellsOfClaims } from '../hooks/claims.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfClaims(codex)
tellsOfLoops(codex, { kinds: ['two calls'], canBeEnded: false })
