/** The real Qwen Code with the hooks that `donecheck install` writes, in calls without end. */
import { qwen } from '../hooks/agents.ts'
import { tellsOfLoops } from '../hooks/loops.ts'

tellsOfLoops(qwen, { kind: 'two calls', canBeEnded: false })
