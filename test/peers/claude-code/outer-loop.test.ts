/** The real Claude Code in the outer loop: one process a turn, one session, the checks outside of both. */
import {
  tellsTheStoriesOf,
  tellsTheStoriesOfTheLoop,
  type AgentUnderTest,
} from '../outer-loop/reported-by-lines.ts'

const claude: AgentUnderTest = { name: 'claude', line: 'claude --model claude-sonnet-4-5' }

tellsTheStoriesOf(claude)
tellsTheStoriesOfTheLoop(claude)
