/** The real Gemini CLI with the hooks that `donecheck install` writes: its word is not believed. */
import { gemini } from '../hooks/agents.ts'
import { tellsOfClaims } from '../hooks/claims.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfClaims(gemini)
tellsOfLoops(gemini, { kinds: ['one call', 'two calls'], canBeEnded: true, endsOneByItself: true })
