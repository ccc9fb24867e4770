import fc from 'fast-check'
import { numberToHex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { separateOwners } from '../../../../relayer/chain/indexer/address-filter.ts'

const holding = fc.record({ address: fc.integer({ min: 0, max: 40 }), token: fc.integer({ min: 0, max: 3 }) })

test('no request to a node has two addresses of one owner, and no address is left out', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(holding, { maxLength: 60, selector: ({ address, token }) => `${address}:${token}` }),
      (holdings) => {
        const keys = holdings.map(({ address, token }) => ({
          address: numberToHex(address, { size: 20 }),
          owner: String(address % 5),
          standard: 'erc20' as const,
          token: token === 0 ? zeroAddress : numberToHex(token, { size: 20 }),
          tokenId: 0n,
        }))
        const groups = separateOwners(keys)
        expect(new Set(groups.flat())).toEqual(new Set(keys))
        for (const group of groups) {
          const addressesOf = Map.groupBy(group, ({ owner }) => owner)
          for (const ofOwner of addressesOf.values())
            expect(new Set(ofOwner.map(({ address }) => address)).size).toBe(1)
        }
      },
    ),
  )
})
