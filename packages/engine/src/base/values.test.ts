import { expect, it } from 'vitest'
import { given } from './values.ts'

it('leaves out fields without a value; null, false, zero and the empty text are values', () => {
  const fields = { a: undefined, b: null, c: false, d: 0, e: '', f: 'x' }
  expect(Object.keys(given(fields))).toEqual(['b', 'c', 'd', 'e', 'f'])
  expect(given({ a: undefined })).toStrictEqual({})
})
