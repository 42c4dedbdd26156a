/** The real Gemini CLI with the hooks that `donecheck install` writes, in calls without end. */
import { gemini } from '../hooks/agents.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfLoops(gemini, { kind: 'two calls', canBeEnded: true })
