/**
 * One piece of work at a time: whoever asks while it is going on gets its result. It is aborted only when nobody waits for it
 * any more.
 */
export function shareWork<Input, Result>(
  work: (input: Input, signal: AbortSignal) => Promise<Result>,
): (input: Input, signal?: AbortSignal) => Promise<Result> {
  let current:
    { readonly result: Promise<Result>; readonly leave: () => void; readonly join: () => void } | undefined
  return async (input, signal) => {
    current ??= begin(work, input, () => (current = undefined))
    const { result, join, leave } = current
    join()
    return untilAborted(result, signal, leave)
  }
}

function begin<Input, Result>(
  work: (input: Input, signal: AbortSignal) => Promise<Result>,
  input: Input,
  onEnd: () => void,
) {
  const controller = new AbortController()
  let waiting = 0
  return {
    result: work(input, controller.signal).finally(onEnd),
    join: () => {
      waiting += 1
    },
    leave: () => {
      waiting -= 1
      if (waiting === 0) controller.abort()
    },
  }
}

/** Whoever has gone is not answered; that the work may end then is said by `leave`. */
async function untilAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
  leave: () => void,
): Promise<Result> {
  if (signal === undefined) return result
  const gone = Promise.withResolvers<never>()
  const onAbort = () => {
    leave()
    gone.reject(new Error('the request was cancelled'))
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([result, gone.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
