/** The agent of these examples: a script. It says "done" before it has done anything; told that it is not, it does it. */
import { scriptedAgent, type Agent } from 'donecheck'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

/** What it is asked to do, and the check that can tell: it passes when the file is there. */
export const task = 'Write greeting.txt.'
export const check = 'test -f greeting.txt'

export function hastyAgent(folder: string): Agent {
  const claim = 'Done! greeting.txt is written.'
  const work = () => {
    writeFileSync(path.join(folder, 'greeting.txt'), 'hello\n')
    return 'I had forgotten to write it. Now it is there.'
  }
  return scriptedAgent([claim, work], { description: { sideEffects: true } })
}
