/**
 * The AI SDK ends an agent when its model stops asking for tools. Here its word does not count: the checks are asked, the model reads
 * what they say in the same generation, and the result says why it ended. What must not run does not.
 */
import { ToolLoopAgent, generateText, hasToolCall, isStepCount, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { verifierOf } from 'donecheck'
import { stopWhen, verifiedAgent } from '@donecheck/agents/ai-sdk'
import { z } from 'zod'

type Said = string | { readonly tool: string; readonly input: object }
/** A model that says what stands here; take your own instead. */
function modelSaying(script: readonly Said[]) {
  const usage = {
    inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 10, text: 10, reasoning: 0 },
  }
  let turn = 0
  const content = (said: Said) =>
    typeof said === 'string'
      ? ({ type: 'text', text: said } as const)
      : ({
          type: 'tool-call',
          toolCallId: `${turn}`,
          toolName: said.tool,
          input: JSON.stringify(said.input),
        } as const)
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const said = script[Math.min(turn++, script.length - 1)] ?? ''
      const unified = typeof said === 'string' ? 'stop' : 'tool-calls'
      return { content: [content(said)], finishReason: { unified, raw: unified }, usage, warnings: [] }
    },
  })
}

let bricks = 0
const build = tool({ inputSchema: z.object({}), execute: () => `${(bricks += 1)} bricks` })
const isHigh = verifierOf('high enough', () => ({ passed: bricks >= 2, reason: `${bricks} of 2 bricks` }))

const lay: Said = { tool: 'build', input: {} }
const model = modelSaying([lay, 'Done.', lay, 'Now it is.', lay])
const tools = { build }
const agent = verifiedAgent((guard) => new ToolLoopAgent(guard({ model, tools })), {
  hardVerifiers: [isHigh],
  hardCap: { blockedStops: 3 },
})
const { text, verification } = await agent.generate({ prompt: 'Build a wall.' })
console.log(text, verification.transition?.reason, verification.isVerified, verification.blockedStops)

// Our conditions alone, in a generation of the SDK's own, beside its own predicates: which of them ended it is told.
const conditions = { 'twenty steps': isStepCount(20), asked: hasToolCall('ask') }
const stop = stopWhen({ hardCap: { toolCalls: 3 }, conditions })
const result = await generateText({ model, tools, prompt: 'Go on.', stopWhen: stop })
const why = stop.reasonOf(result)
console.log(why?.kind === 'rule' ? `${why.transition.reason} ${why.transition.cap}` : why?.name)

// prints: hard_cap tool_calls
