import { randomBytes } from 'node:crypto'
import { encodeAbiParameters, toFunctionSelector, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { AssetChange } from '../../../../proving/simulate-job.ts'
import type { Chain } from '../../../../relayer/chain/nodes/chain.ts'
import { describeChanges } from '../../../../relayer/inspect/simulation/describe-changes.ts'
import { createEvmBudget } from '../../../../relayer/inspect/simulation/limit-evm.ts'
import { forClient } from '../../../../relayer/shares/client.ts'
import { explainFailure } from '../../../../relayer/inspect/simulation/explain-failure.ts'

const somebody = (): Hex => `0x${randomBytes(20).toString('hex')}`
const chain = { config: { chainId: 1 }, client: {} } as Chain
const tokens = { findPublic: async () => null, isListed: () => false }

test('of thousands of movements only as many are described as are shown', async () => {
  let read = 0
  const changes = Array.from({ length: 16_000 }, (): AssetChange => {
    const from = somebody()
    return {
      type: 'erc20',
      token: somebody(),
      // Each has addresses to be checksummed: all of them took 1.3 s of the main thread.
      get from() {
        read += 1
        return from
      },
      to: somebody(),
      tokenId: null,
      amount: 1n,
    }
  })
  const { changes: described } = await describeChanges(tokens, chain, [{ changes, approvals: [] }], 501)
  expect(described).toHaveLength(501)
  expect(read).toBeLessThanOrEqual(1_002)
})

test('megabytes of revert data are shown by their first bytes, and not decoded', async () => {
  const signature = 'failed(uint256[])'
  const selector = toFunctionSelector(signature)
  const encode = (numbers: bigint[]): Hex =>
    `${selector}${encodeAbiParameters([{ type: 'uint256[]' }], [numbers]).slice(2)}`
  const explain = (revertData: Hex) => explainFailure(signatures, { revertData, message: '' })
  const signatures = {
    lookup: async () =>
      new Map([[selector, [{ signature, source: 'reported' as const, suspicious: false }]]]),
  }
  // Each candidate took half a second of the main thread.
  expect(await explain(encode(Array.from({ length: 118_000 }, () => 1n)))).toMatch(
    new RegExp(`^unknown error ${selector}0{62}20`),
  )
  expect(await explain(encode([7n]))).toBe('failed(["7"])')
})

test('calls that take longer than their gas suggests are charged their real time', async () => {
  const budget = createEvmBudget(() => 0)
  // BLAKE2, whose rounds cost one gas each.
  const bomb = (account: string) =>
    forClient({ network: account, account }, () =>
      budget.run(
        936_000n,
        async () => 'ran',
        () => 488,
      ),
    )
  const runs = async (account: string) => {
    let count = 0
    while ((await bomb(account)) === 'ran') count += 1
    return count
  }
  expect(await runs('one')).toBe(9)
  let all = 9
  for (let index = 0; index < 10; index += 1) all += await runs(`account ${index}`)
  // A third of half a minute of CPU in all, plus the last simulation and the guaranteed part of each.
  expect(all * 488).toBeLessThan(10_000 + 11 * 488)
})
