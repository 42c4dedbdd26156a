/** The real Copilot CLI with the hooks that `donecheck install` writes, in calls without end. */
import { copilot } from '../hooks/agents.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfLoops(copilot, { kind: 'one call', canBeEnded: false })
