import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { sessionMs, sessionOf, userOfSession, knownUser } from './users.ts'

const ada = knownUser({ name: 'ada', roles: ['read', 'run'] }, 'the token of ada')
const bob = knownUser({ name: 'bob', roles: ['read'] }, 'the token of bob')
const users = [ada, bob]

describe('given a session of a user', () => {
  const session = sessionOf(ada, 1000)

  it('is that user for thirty days, and then nobody', () => {
    expect(userOfSession(users, session, 1000)).toBe(ada.user)
    expect(userOfSession(users, session, 1000 + sessionMs - 1)).toBe(ada.user)
    expect(userOfSession(users, session, 1000 + sessionMs)).toBeUndefined()
  })

  it('ends with the token that it was made of', () => {
    const other = knownUser(ada.user, 'a new token of ada')
    expect(userOfSession([other, bob], session, 1000)).toBeUndefined()
    expect(userOfSession([bob], session, 1000)).toBeUndefined()
  })

  it('is nobody as somebody else', () => {
    const [, ...rest] = session.split('.')
    const [name] = sessionOf(bob, 1000).split('.')
    expect(userOfSession(users, [name, ...rest].join('.'), 1000)).toBeUndefined()
  })

  test.prop([fc.nat({ max: session.length - 1 }), fc.string({ minLength: 1, maxLength: 1 })])(
    'is nobody once a letter of it is another one',
    (place, letter) => {
      fc.pre(session[place] !== letter)
      const changed = session.slice(0, place) + letter + session.slice(place + 1)
      expect(userOfSession(users, changed, 1000)).toBeUndefined()
    },
  )
})
