/** A provider that refuses, as each real agent meets it. */
import { check, mends, redProject, type AgentName, type ScriptedStep, type Step } from '../kit/index.ts'

/** Of `--agent`: every tool allowed. */
export const agentLines: Readonly<Partial<Record<AgentName, string>>> = {
  claude: 'claude --permission-mode bypassPermissions',
  codex: 'codex --dangerously-bypass-approvals-and-sandbox',
  gemini: 'gemini -m gemini-2.5-pro --yolo',
  opencode: 'opencode',
}

/** Claude Code tells of the limits of a subscription alone, which a key has none of. */
export const environmentOf = (agent: AgentName): Readonly<Record<string, string>> =>
  agent === 'claude' ? { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' } : {}

export function wordsFor(agent: AgentName): readonly string[] {
  return ['run', '--agent', agentLines[agent] ?? agent, '--until', check, redProject['task.md']?.trim() ?? '']
}

/** Refuses for so long, counted from the first question; then the agent mends the project and says so. */
export function limitedFor(agent: AgentName, seconds: number): readonly ScriptedStep[] {
  let resetsAtMs: number | undefined
  let replies = 0
  return [
    () => {
      resetsAtMs ??= Date.now() + seconds * 1000
      if (Date.now() < resetsAtMs) return refusalOf(agent, resetsAtMs)
      replies += 1
      return replies === 1 ? mends(agent) : { text: 'Done.' }
    },
  ]
}

function refusalOf(agent: AgentName, resetsAtMs: number): Step {
  const seconds = Math.max(1, Math.ceil((resetsAtMs - Date.now()) / 1000))
  const epoch = String(Math.ceil(resetsAtMs / 1000))
  const message = `You exceeded your current quota. Please retry in ${seconds}s.`
  switch (agent) {
    case 'codex':
      return {
        status: 429,
        headers: {
          'x-codex-primary-used-percent': '100',
          'x-codex-primary-window-minutes': '300',
          'x-codex-primary-reset-at': epoch,
        },
        body: {
          error: { type: 'usage_limit_reached', message, plan_type: 'plus', resets_at: Number(epoch) },
        },
      }
    case 'gemini':
      return {
        status: 429,
        body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message, details: quotaDetails(seconds) } },
      }
    default:
      return {
        status: 429,
        headers: {
          'retry-after': String(seconds),
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': epoch,
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        },
        body: { type: 'error', error: { type: 'rate_limit_error', message: 'usage limit reached' } },
      }
  }
}

function quotaDetails(seconds: number) {
  const google = (name: string) => `type.googleapis.com/google.rpc.${name}`
  const quotaId = 'GenerateRequestsPerDayPerProjectPerModel-FreeTier'
  return [
    { '@type': google('QuotaFailure'), violations: [{ quotaId, quotaValue: '50' }] },
    { '@type': google('RetryInfo'), retryDelay: `${seconds}s` },
  ]
}
