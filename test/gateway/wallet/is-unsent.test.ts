import { expect, test } from 'vitest'
import { isUnsent } from '../../../gateway/wallet/session/is-unsent.ts'
import { ServiceRefusal, SubmissionFailed } from '../../../schema/client/index.ts'

const refused = (status: number) =>
  new ServiceRefusal({ request: 'POST /submit', status, text: '{}', retryAfterSeconds: null })
const lost = new TypeError('fetch failed')

test.each([
  ['signing', lost, true],
  ['loading', lost, true],
  // A part of the order may have been handed over before the next proof.
  ['proving', lost, false],
  ['submitting', refused(400), true],
  ['submitting', refused(503), false],
  ['submitting', lost, false],
  ['pending', refused(401), false],
  ['pending', lost, false],
  ['pending', new SubmissionFailed('it failed'), true],
])('an order that ends at "%s" with %s has moved no money for sure: %s', (state, error, expected) => {
  expect(isUnsent(error, state)).toBe(expected)
})
