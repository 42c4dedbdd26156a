/** The real Claude Code with the hooks that `donecheck install` writes: its word is not believed. */
import { claude } from '../hooks/agents.ts'
import { tellsOfClaims } from '../hooks/claims.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfClaims(claude)
tellsOfLoops(claude, { kinds: ['one call', 'two calls'], canBeEnded: true })
