/** The real Claude Code with the hooks that `donecheck install` writes, in calls without end. */
import { claude } from '../hooks/agents.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfLoops(claude, { kind: 'one call', canBeEnded: true })
