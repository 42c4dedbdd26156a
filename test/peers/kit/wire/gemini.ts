/** Gemini: `streamGenerateContent` and `generateContent`. */
import type { Spoken } from '../step.ts'
import { dataEvents, isRecord, namesIn, recordsIn, textIn, type Wire } from './wire.ts'

export const gemini: Wire = {
  protocol: 'gemini',
  serves: (path) => /:(?:streamGenerateContent|generateContent|countTokens)$/.test(path),
  aside: (path) => (path.endsWith(':countTokens') ? { totalTokens: 100 } : undefined),
  isStreaming: (path) => path.endsWith(':streamGenerateContent'),
  tools: (body) => recordsIn(body['tools']).flatMap((tool) => namesIn(tool['functionDeclarations'])),
  messages: (body) =>
    recordsIn(body['contents']).map(({ role, parts }) => ({
      side: role === 'model' ? 'said' : 'told',
      text: textIn(parts),
    })),
  stream: (spoken) => dataEvents([answerOf(spoken)]),
  whole: (spoken) => answerOf(spoken),
  failure: ({ status, message, body }) =>
    isRecord(body)
      ? body
      : { error: { code: status, message: message ?? 'scripted failure', status: 'INTERNAL' } },
}

function answerOf({ id, text, calls, usage, model }: Spoken) {
  const parts = [
    ...(text === '' && calls.length > 0 ? [] : [{ text }]),
    ...calls.map(({ tool, args }) => ({ functionCall: { name: tool, args } })),
  ]
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      cachedContentTokenCount: usage.cachedInputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
    modelVersion: model,
    responseId: id,
  }
}
