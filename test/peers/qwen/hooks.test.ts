/** The real Qwen Code with the hooks that `donecheck install` writes: its word is not believed. */
import { qwen } from '../hooks/agents.ts'
import { tellsOfClaims } from '../hooks/claims.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfClaims(qwen)
tellsOfLoops(qwen, { kinds: ['two calls'], canBeEnded: false })
