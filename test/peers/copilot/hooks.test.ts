/** The real Copilot CLI with the hooks that `donecheck install` writes: its word is not believed. */
import { copilot } from '../hooks/agents.ts'
import { tellsOfClaims } from '../hooks/claims.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfClaims(copilot)
tellsOfLoops(copilot, { kinds: ['one call'], canBeEnded: false })
