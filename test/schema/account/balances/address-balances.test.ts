import { expect, it } from 'vitest'
import { describeAddressBalances } from '../../../../schema/account/balances/describe-balances.ts'

it.each([
  ['https://app.example', 'app.example'],
  ['no origin', 'no origin'],
])('the app of %s has the same name as in the list of addresses', (origin, displayName) => {
  expect(describeAddressBalances({ addresses: [], total: 0 }, origin).dapp).toMatchObject({
    origin,
    displayName,
    recognitionStatus: 'unknown',
    verified: false,
  })
})
