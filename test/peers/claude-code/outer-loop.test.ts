/** The real Claude Code in the outer loop: one process a turn, one session, the checks outside of both. */
import { tellsTheStoriesOf } from '../outer-loop/reported-by-lines.ts'

tellsTheStoriesOf({ name: 'claude', line: 'claude --model claude-sonnet-4-5' })
