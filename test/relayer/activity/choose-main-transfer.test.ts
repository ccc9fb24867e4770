import type { Address } from 'viem'
import { expect, it } from 'vitest'
import type { ActivityTransfer } from '../../../relayer/activity/activity.ts'
import { chooseMainTransfer } from '../../../relayer/activity/choose-main-transfer.ts'
import type { Token } from '../../../relayer/market/tokens/tokens.ts'
import { parseUsd } from '../../../relayer/market/prices/usd.ts'

const address = (digit: number): Address => `0x${String(digit).repeat(40)}`
const [own, stranger] = [address(1), address(2)]

const token: Token = {
  chainId: 1,
  address: address(3),
  symbol: 'T',
  name: 'Token',
  decimals: 18,
  logoUri: null,
  visibility: 'verified',
  metadataSource: 'chain',
  spam: false,
  isPartner: false,
}

/** A transfer of a token with 18 decimals; `usd` is its price, null without one. */
function transfer(from: Address, to: Address, value: bigint, usd: string | null): ActivityTransfer {
  const price = usd === null ? null : { usd: parseUsd(usd), observedAt: new Date(0), stale: false }
  return {
    chainId: 1,
    tokenAddress: token.address,
    token,
    value,
    price,
    from,
    to,
    tokenId: null,
    ownEnd: from === own ? (to === own ? 'both' : 'from') : 'to',
  }
}
const choose = (...transfers: ActivityTransfer[]) =>
  chooseMainTransfer({ transfers, fundingAddresses: [own] })

it('the transfer that left the account is the main one, though more arrived', () => {
  const leaving = transfer(own, stranger, 1n, '1')
  expect(choose(transfer(stranger, own, 10n ** 18n, '9'), leaving)).toBe(leaving)
})

it('a change to the account itself does not count as leaving', () => {
  const arriving = transfer(stranger, own, 5n, '1')
  expect(choose(transfer(own, own, 4n, '1'), arriving)).toBe(arriving)
})

it('the most valuable of several is the main transfer, not the one with the largest amount', () => {
  const valuable = transfer(own, stranger, 2n * 10n ** 18n, '3')
  expect(choose(transfer(own, stranger, 5n * 10n ** 18n, '1'), valuable)).toBe(valuable)
})

it('a transfer without a price comes after one with a price, and then the amount decides', () => {
  const priced = transfer(own, stranger, 1n, '1')
  const large = transfer(own, stranger, 7n, null)
  expect(choose(large, priced)).toBe(priced)
  expect(choose(transfer(own, stranger, 6n, null), large)).toBe(large)
  expect(choose()).toBeUndefined()
})
