import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { canonicalJson } from '@donecheck/core/internal/base'
import { hookPoints, type GateKind } from '@donecheck/core/internal/events/gate'
import type { HookInputs } from '../../../ports/callbacks.ts'
import { call, finalizing, occasion, output, verified } from '../fixtures/occasions.ts'
import { hookPipeline, type HookPipeline } from '../pipeline.ts'
import type { HookLists, ToolHook } from '../registration.ts'

const decision = fc.constantFrom<GateKind>('allow', 'prompt', 'forbidden')

/** A decision, nothing, or a failure. */
const behaviour = fc.oneof(
  decision.map((kind) => ({ kind, run: () => ({ decision: kind }) })),
  fc.constant({ kind: undefined, run: () => undefined }),
  fc.constant({ kind: undefined, run: async () => ({ args: { changed: true } }) }),
  fc.anything({ withBigInt: true, withDate: true, withMap: true }).map((value) => ({
    kind: 'failed' as const,
    run: () => ({ nonsense: [value] }),
  })),
  fc.anything().map((value) => ({
    kind: 'failed' as const,
    run: () => {
      throw value
    },
  })),
)

const gates = fc.array(
  fc.record({
    behaviour,
    priority: fc.integer({ min: 0, max: 3 }),
    mode: fc.constantFrom('on' as const, 'on' as const, 'shadow' as const),
    onFailure: fc.constantFrom('open' as const, 'closed' as const),
  }),
  { maxLength: 8 },
)

type Gates = typeof gates extends fc.Arbitrary<infer Value> ? Value : never

const severity = { allow: 0, prompt: 1, forbidden: 2 } as const

function inOrder(all: Gates): readonly (Gates[number] & { readonly name: string })[] {
  return all
    .map((gate, index) => ({ ...gate, name: `gate-${index}` }))
    .toSorted((one, other) => one.priority - other.priority)
}

function expected(all: Gates): GateKind | undefined {
  const said = inOrder(all).flatMap(({ behaviour: { kind }, mode, onFailure }): GateKind[] => {
    if (mode === 'shadow' || kind === undefined) return []
    if (kind !== 'failed') return [kind]
    return onFailure === 'closed' ? ['forbidden'] : []
  })
  return said.toSorted((one, other) => severity[other] - severity[one])[0]
}

describe('given any gates', () => {
  test.prop([gates])('the most severe decision holds, and a failure is one where it closes', async (all) => {
    const tools = all.map(
      ({ behaviour: { run }, ...options }, index) =>
        ({ ...options, name: `gate-${index}`, point: 'before_tool_call', run }) as ToolHook,
    )
    const { merged, ran } = await hookPipeline({ tools }).fire('before_tool_call', call())
    expect(merged.decision).toBe(expected(all))
    expect(ran.map(({ hook }) => hook)).toEqual(inOrder(all).map(({ name }) => name))
    expect(ran.map(({ order }) => order)).toEqual(all.map((_, index) => index + 1))
    const denied = ran.findIndex(({ effect }) => effect === 'skipped')
    if (denied >= 0) expect(ran.slice(denied).every(({ effect }) => effect === 'skipped')).toBe(true)
  })
})

describe('given hooks that rewrite an output', () => {
  test.prop([fc.array(fc.string({ maxLength: 3 }), { maxLength: 6 }), fc.string()])(
    'what is kept is what all of them made of it, one after the other',
    async (suffixes, text) => {
      const tools: ToolHook[] = suffixes.map((suffix, index) => ({
        name: `suffix-${index}`,
        point: 'tool_result_persist',
        run: (input) => ({ output: input.output + suffix }),
      }))
      const { merged } = await hookPipeline({ tools }).fire('tool_result_persist', output(text))
      expect(merged.output ?? text).toBe(text + suffixes.join(''))
    },
  )
})

const transition = { kind: 'continue', reason: 'tool_calls', findings: [], verdicts: [] } as const

const inputs: HookInputs = {
  run_started: { ...occasion(), task: '', workFolder: null },
  before_turn: occasion(),
  before_tool_call: call(),
  after_tool_call: { ...call(), status: 'ok', output: '' },
  tool_result_persist: output(''),
  after_turn: { ...occasion(), text: '', transition },
  before_verification: { ...occasion(), trigger: 'claim', verifiers: ['npm test'] },
  after_verification: verified(),
  before_finalize: finalizing('npm test'),
  on_transition: { ...occasion(), transition },
  on_error: { ...occasion(), where: '', message: '' },
  run_ended: { ...occasion(), transition },
}

function everywhere(run: () => unknown): HookPipeline {
  const hooks = hookPoints.map((point) => ({ name: point, point, run }))
  const of = (pattern: RegExp) => hooks.filter(({ point }) => pattern.test(point))
  return hookPipeline({
    tools: of(/tool/u),
    verifiers: of(/verification|finalize/u),
    lifecycle: of(/run|turn|transition|error/u),
  } as HookLists)
}

describe('given a hook that answers anything at all, at any point', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withTypedArray: true,
    withSparseArray: true,
  })

  test.prop([
    fc.constantFrom(...hookPoints),
    anything,
    fc.constantFrom('message', 'veto', 'args', 'output', 'decision'),
  ])('nothing is thrown, and what is merged can be recorded', async (point, value, field) => {
    for (const answer of [value, { [field]: value }]) {
      const { merged, ran } = await everywhere(() => answer).fire(point, inputs[point])
      const text = JSON.stringify({ merged, ran })
      expect(canonicalJson(JSON.parse(text))).toBe(canonicalJson({ merged, ran }))
      expect(ran.filter(({ point: own }) => own === point)).toHaveLength(1)
    }
  })

  test.prop([fc.constantFrom(...hookPoints), anything])(
    'nor where it throws anything',
    async (point, value) => {
      const hooks = everywhere(() => {
        throw value
      })
      const { ran } = await hooks.fire(point, inputs[point])
      expect(ran[0]).toMatchObject({ point, effect: 'failed' })
    },
  )
})
