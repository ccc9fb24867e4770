import { zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import type { SubmittableQuote } from '../../../../db/transact/intents-submit.ts'
import { shareOfQuote } from '../../../../relayer/transact/submissions/share-of-quote.ts'

const WRAPPED = '0x00000000000000000000000000000000000000B1'

/** The gas share of a quote of an account with one confirmed payment, after gas was lost on plain recipients. */
const shareOf = (token: string, output: string | null, toContract = false) =>
  shareOfQuote(
    { oneFirst: async () => 1 } as never,
    { countsPlain: () => true },
    {
      accountId: 'account',
      quote: { chainId: 1, token, output: output && { token: output, amount: 1n } } as SubmittableQuote,
      toContract,
    },
    1,
  )

it('what a recipient is paid with decides whether it may get code in between, not what is spent', async () => {
  expect(await shareOf(zeroAddress, null)).toBe('plain')
  expect(await shareOf(WRAPPED, zeroAddress)).toBe('plain')
  expect(await shareOf(WRAPPED, null)).toBeNull()
  expect(await shareOf(zeroAddress, WRAPPED)).toBeNull()
  expect(await shareOf(WRAPPED, zeroAddress, true)).toBe('proven')
})
