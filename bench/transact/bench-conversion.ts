import { randomBytes } from 'node:crypto'
import { bytesToBigInt, type Address } from 'viem'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { takeSample, type Sample } from '../measure/take-sample.ts'
import { openFundedClient } from './funded-accounts.ts'

/** Of one account. It may have no more pending before one is on the chain, or published wallets would not find the notes. */
const QUOTES = 9
/** Funded addresses of the account; the n-th has n times the pool's minimum. */
const ADDRESSES = 24

/** CPU of the service for a quote of a deposit into a pool, from one of many addresses. */
export async function sampleConversionQuotes(
  { url, chain }: { url: string; chain: DescribedChain },
  token: Address,
  readCpu: () => Promise<number | null>,
): Promise<Sample> {
  const client = await openFundedClient(url, chain, token, ADDRESSES)
  return takeSample(readCpu, QUOTES, async () => {
    for (let depositIndex = 0; depositIndex < QUOTES; depositIndex += 1)
      await client.ask('POST', `/v1/accounts/${client.accountId}/quote`, {
        type: 'pool_deposit',
        chainId: chain.chainId,
        token,
        amount: String(11_000_000 + depositIndex),
        precommitments: [{ depositIndex, precommitment: String(bytesToBigInt(randomBytes(31))) }],
      })
  })
}
