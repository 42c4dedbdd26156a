import type { Store } from 'donecheck'

/** A store that kills its process at the n-th append: `before` it (the effect is done, its event is not) or `after` it. */
export function crashing(store: Store, when: string | undefined, place: string | undefined): Store {
  let appends = 0
  const dieAt = (moment: string) => {
    if (when === moment && appends === Number(place)) process.kill(process.pid, 'SIGKILL')
  }
  return {
    place: store.place,
    folder: store.folder,
    append: async (...given) => {
      appends += 1
      dieAt('before')
      const result = await store.append(...given)
      dieAt('after')
      return result
    },
    takeIn: (...given) => store.takeIn(...given),
    readAsFar: (...given) => store.readAsFar(...given),
    cutOff: (...given) => store.cutOff(...given),
    read: (runId) => store.read(runId),
    list: () => store.list(),
    acquire: (request) => store.acquire(request),
    renew: (...given) => store.renew(...given),
    release: (lease) => store.release(lease),
    attach: (...given) => store.attach(...given),
    attachment: (...given) => store.attachment(...given),
    attachmentsOf: (runId) => store.attachmentsOf(runId),
    remember: (...given) => store.remember(...given),
    recall: (key) => store.recall(key),
    yields: () => store.yields(),
    learn: (verdict) => store.learn(verdict),
    hostSession: (key) => store.hostSession(key),
    hostSessions: () => store.hostSessions(),
    keepHostSession: (session) => store.keepHostSession(session),
    keepGoalRequest: (...given) => store.keepGoalRequest(...given),
    runRows: (sinceMs) => store.runRows(sinceMs),
    keepRunRows: (rows) => store.keepRunRows(rows),
    goalRequests: (...given) => store.goalRequests(...given),
    close: () => store.close(),
  }
}
