/** The real Gemini CLI, run turn by turn by the real command, with a model that says what it is told to. */
import { tellsTheStoriesOf } from '../outer-loop/reported-by-lines.ts'

tellsTheStoriesOf({ name: 'gemini', line: 'gemini -m gemini-2.5-pro --yolo' })
