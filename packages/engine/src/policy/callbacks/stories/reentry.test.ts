import { describe, expect, it } from 'vitest'
import { call, occasion } from '../fixtures/occasions.ts'
import { hookPipeline, type HookPipeline } from '../pipeline.ts'

describe('given hooks that cause hooks', () => {
  it('one that causes itself is not run again, and fails', async () => {
    let runs = 0
    const hooks: HookPipeline = hookPipeline({
      lifecycle: [
        {
          name: 'alarm',
          point: 'on_error',
          run: async (input) => {
            runs += 1
            const { ran } = await hooks.fire('on_error', input)
            throw new Error(ran[0]?.note)
          },
        },
      ],
    })
    const { ran } = await hooks.fire('on_error', { ...occasion(), where: 'drive', message: 'down' })
    expect(runs).toBe(1)
    expect(ran).toMatchObject([{ effect: 'failed', note: 'it has caused itself to be run again' }])
  })

  it('a gate that causes its own point refuses there, and decides here', async () => {
    const inner: string[] = []
    const hooks: HookPipeline = hookPipeline({
      tools: [
        {
          name: 'gate',
          point: 'before_tool_call',
          run: async (input) => {
            const { merged } = await hooks.fire('before_tool_call', input)
            inner.push(`${merged.decision}`)
            return { decision: 'allow' }
          },
        },
      ],
    })
    expect((await hooks.fire('before_tool_call', call())).merged.decision).toBe('allow')
    expect(inner).toEqual(['forbidden'])
  })

  it('three may stand within each other, a fourth is not run', async () => {
    const depths: number[] = []
    const nested: HookPipeline[] = Array.from({ length: 6 }, (_, depth) =>
      hookPipeline({
        lifecycle: [
          {
            name: `hook-${depth}`,
            point: 'before_turn',
            run: async (input) => {
              depths.push(depth)
              await nested[depth + 1]?.fire('before_turn', input)
              return undefined
            },
          },
        ],
      }),
    )
    await nested[0]?.fire('before_turn', occasion())
    expect(depths).toEqual([0, 1, 2])
  })

  it('what a hook has left behind may cause it again', async () => {
    const left = Promise.withResolvers<undefined>()
    const later: Promise<unknown>[] = []
    const hooks: HookPipeline = hookPipeline({
      lifecycle: [
        {
          name: 'notes',
          point: 'before_turn',
          run: (input) => {
            if (later.length === 0) later.push(left.promise.then(() => hooks.fire('before_turn', input)))
            return undefined
          },
        },
      ],
    })
    await hooks.fire('before_turn', occasion())
    left.resolve(undefined)
    expect(await later[0]).toMatchObject({ ran: [{ effect: 'none' }] })
  })
})
