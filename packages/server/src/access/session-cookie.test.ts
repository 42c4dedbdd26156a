import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { sessionMs, createSession, findUserBySession, registerUser } from './users.ts'

const ada = registerUser({ name: 'ada', roles: ['read', 'run'] }, 'the token of ada')
const bob = registerUser({ name: 'bob', roles: ['read'] }, 'the token of bob')
const users = [ada, bob]

describe('given a session of a user', () => {
  const session = createSession(ada, 1000)

  it('is that user for thirty days, and then nobody', () => {
    expect(findUserBySession(users, session, 1000)).toBe(ada.user)
    expect(findUserBySession(users, session, 1000 + sessionMs - 1)).toBe(ada.user)
    expect(findUserBySession(users, session, 1000 + sessionMs)).toBeUndefined()
  })

  it('ends with the token that it was made of', () => {
    const other = registerUser(ada.user, 'a new token of ada')
    expect(findUserBySession([other, bob], session, 1000)).toBeUndefined()
    expect(findUserBySession([bob], session, 1000)).toBeUndefined()
  })

  it('is nobody as somebody else', () => {
    const [, ...rest] = session.split('.')
    const [name] = createSession(bob, 1000).split('.')
    expect(findUserBySession(users, [name, ...rest].join('.'), 1000)).toBeUndefined()
  })

  test.prop([fc.nat({ max: session.length - 1 }), fc.string({ minLength: 1, maxLength: 1 })])(
    'is nobody once a letter of it is another one',
    (place, letter) => {
      fc.pre(session[place] !== letter)
      const changed = session.slice(0, place) + letter + session.slice(place + 1)
      expect(findUserBySession(users, changed, 1000)).toBeUndefined()
    },
  )
})
