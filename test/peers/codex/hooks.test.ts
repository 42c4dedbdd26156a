/** The real Codex with the hooks that `donecheck install` writes, in calls without end. */
import { codex } from '../hooks/agents.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfLoops(codex, { kind: 'two calls', canBeEnded: false })
