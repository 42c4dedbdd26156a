/**
 * What you know of your tools, the detectors should know too: which one asks how something stands, and what in its arguments
 * and answers means nothing. Whoever wants another end writes a rule: it looks at the state, and can only end a run unverified.
 */
import { createAgentLoop, scriptedAgent, type AgentLoopOptions, type Rule, type Tool } from 'donecheck'

/** A build that takes its time, and numbers every answer. */
function lookAtBuild(): Tool {
  let asked = 0
  const answer = () => (
    (asked += 1),
    JSON.stringify({ answer: asked, build: asked < 12 ? 'building' : 'ready' })
  )
  const run = async () => ({ status: 'ok' as const, output: answer() })
  return {
    name: 'look_at_build',
    description: 'How the build stands.',
    parameters: { type: 'object' },
    effect: 'read',
    prepare: async () => ({ kind: 'ready', summary: 'look at the build', run }),
  }
}

/** A person is wanted when a run has looked six times. */
const callSomebody: Rule = ({ activity, sequence }) => {
  const calls = activity.callsInTask
  const message = `${calls} looks: somebody should see why it takes so long`
  const body = { rule: 'call_somebody', message, numbers: { calls }, basedOn: [sequence] }
  return calls < 6 ? undefined : { ...body, level: 'stop', stop: { reason: 'blocked' } }
}

async function endWith(softVerifiers: NonNullable<AgentLoopOptions['softVerifiers']>): Promise<string> {
  let requests = 0
  const look = () => ({ tools: [{ tool: 'look_at_build', args: { requestId: `r${(requests += 1)}` } }] })
  const agent = scriptedAgent([...Array.from({ length: 12 }, () => look), 'It is ready.'])
  const loop = createAgentLoop({ agent, tools: [lookAtBuild()], softVerifiers })
  const { reason, detector } = (await loop.run('Wait for the build.')).transition
  return [reason, detector].filter(Boolean).join(' ')
}

const volatileArguments = ['requestId']
const volatileResults = ['answer']
const ends = [
  // Another request and other words every time: nothing repeats, as far as anybody can see.
  await endWith({}),
  await endWith({
    loopDetection: { tools: { look_at_build: { volatileArguments, volatileResults } } },
  }),
  await endWith({
    loopDetection: { tools: { look_at_build: { volatileArguments, volatileResults, poll: true } } },
  }),
  await endWith({ rules: [callSomebody] }),
]
console.log(ends.join(', '))

// prints: model_ended, loop_detected cycle, model_ended, blocked
