// The agent of the conformance kit: `node agent.js FOLDER [prompt]` plays the next turn of FOLDER/script.json in the
// current folder. Which turn that is stands in FOLDER/turn. Plain JavaScript on its own, so that any loop can start it anywhere.
import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

const [, , folder = '.'] = process.argv
const turnFile = join(folder, 'turn')
const turn = existsSync(turnFile) ? Number(readFileSync(turnFile, 'utf8')) : 0
// Before anything is done: a turn that is killed counts as well.
writeFileSync(turnFile, String(turn + 1))

const turns = JSON.parse(readFileSync(join(folder, 'script.json'), 'utf8'))
for (const act of turns[Math.min(turn, turns.length - 1)]) perform(act)

function perform(act) {
  if ('write' in act) {
    mkdirSync(dirname(act.write), { recursive: true })
    writeFileSync(act.write, act.text)
  } else if ('remove' in act) rmSync(act.remove, { recursive: true, force: true })
  else if ('shell' in act)
    spawnSync('sh', ['-c', act.shell], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, AGENT_FOLDER: folder },
    })
  else if ('say' in act) print(Buffer.from(`${act.say.repeat(act.times ?? 1)}\n`))
  else if ('bytes' in act) print(Buffer.from(act.bytes, 'base64'))
  else if ('exit' in act) process.exit(act.exit)
  else if ('killed' in act) process.kill(process.pid, 'SIGKILL')
}

/** All of it, before anything else happens: a pipe may take less at a time. Nobody who listens has to. */
function print(bytes) {
  for (let start = 0; start < bytes.length;) {
    try {
      start += writeSync(1, bytes, start)
    } catch (error) {
      if (error.code !== 'EAGAIN') return
    }
  }
}
