/** Who is asking, and the document that says what can be asked. */
import { z } from 'zod'
import { donecheckVersion } from '@donecheck/engine/base'
import { roles } from '../../access/index.ts'
import { get, noQuery } from '../route.ts'
import { text } from '../shapes/common.ts'

const session = get({
  path: '/api/session',
  role: 'read',
  summary: 'Who is asking, what they may do, and of which store',
  query: noQuery,
  answers: z.object({
    user: text,
    roles: z.array(z.enum(roles)),
    version: text,
    place: text,
    canStart: z.boolean().describe('false: the service only shows runs'),
  }),
  handle: async ({ user, place: { store, launcher } }) =>
    Promise.resolve({
      user: user.name,
      roles: [...user.roles],
      version: donecheckVersion,
      place: store.place,
      canStart: launcher !== null,
    }),
})

export const sessionRoutes = [session]
