import { fc, it as property } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { quorum } from '@donecheck/core/internal/decide/aggregate'
import { UsageError } from '../../../base/index.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { createAgentLoop } from '../compose.ts'
import { driverlessLoopOptions } from './option-shapes.ts'

const keys = [...Object.keys(driverlessLoopOptions.shape), 'agent']

/** Like plain JavaScript without types. */
function loopWith(options: object): unknown {
  return Reflect.apply(createAgentLoop, undefined, [{ agent: scriptedAgent(['done']), ...options }])
}

function problemOf(options: object): string {
  try {
    loopWith(options)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return ''
}

const passes = () => true
const always = Object.assign(passes, {})

describe('given an option that is used wrongly', () => {
  it.each<readonly [object, string]>([
    [{ agent: () => 'done' }, 'agent is a function; give a model such as'],
    [{ agent: 'gpt-5' }, 'model "gpt-5" names no provider: write provider/model, such as openai/gpt-5'],
    [
      { completeWhen: 'check' },
      'completeWhen must be one of checks, checks-and-claim, not "check"; did you mean "checks"?',
    ],
    [{ verifyReplies: { judge: 'openai/gpt-5' } }, 'verifyReplies.judge must be null, or a judge'],
    [{ hardVerifiers: [3] }, 'hardVerifiers[0] must be a text, or a function, or a check'],
    [{ trustChecks: ['x'] }, 'trustChecks[0] must be an object, not "x"'],
    [
      { hardVerifiers: [always], trustChecks: [{ check: 'x', by: 'me' }] },
      'there is no check "x"; the checks are passes',
    ],
    [
      { hardVerifiers: [always], aggregate: quorum({ atLeast: 2 }) },
      'atLeast is 2, and there are 1 required checks',
    ],
    [{ approver: 'me' }, 'approver must be an approver: an object with ask, not "me"'],
    [{ hardCap: 5 }, 'hardCap must be an object, not 5'],
  ])('then %o says what it may be', (options, message) => {
    expect(problemOf(options)).toContain(message)
  })
})

describe('given any JSON value as any option', () => {
  property.prop([fc.constantFrom(...keys), fc.jsonValue()])(
    'then it works, or is a usage error',
    (key, value) => {
      problemOf({ [key]: value })
    },
  )

  const inner = ['softVerifiers', 'verifyReplies', 'guard', 'gate', 'hooks', 'hardCap']
  const words = [
    ...['loopDetection', 'stagnation', 'tokenBudget', 'rules', 'mode', 'judge', 'keywords'],
    ...[
      'rubric',
      'maxAttempts',
      'waivers',
      'protect',
      'baseline',
      'asked',
      'approval',
      'keep',
      'tools',
      'verifiers',
    ],
    ...['lifecycle', 'iterations', 'callsPerTool', 'maxError', 'minFailureRate', 'budgetTokens'],
  ]
  const object = fc.dictionary(fc.constantFrom(...words), fc.jsonValue(), { maxKeys: 3 })
  property.prop([fc.constantFrom(...inner), object])('then so is it one level deeper', (key, value) => {
    problemOf({ [key]: value, hardVerifiers: [always] })
  })
})
