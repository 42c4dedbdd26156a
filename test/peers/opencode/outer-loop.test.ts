/** The real opencode, run turn by turn by the real command, with a model that says what it is told to. */
import { tellsTheStoriesOf } from '../outer-loop/reported-by-lines.ts'

tellsTheStoriesOf({ name: 'opencode', line: 'opencode --auto' })
