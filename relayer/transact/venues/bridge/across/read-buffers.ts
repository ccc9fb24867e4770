import type { Address } from 'viem'
import { serverBusy } from '../../../../errors.ts'
import type { BridgeChain } from '../bridge-venue.ts'
import { spokePoolAbi } from './across-abi.ts'
import type { DepositBuffers } from './choose-deadlines.ts'

/** Time for which buffers are cached; they change only with an upgrade of the contract. */
const KEPT_MS = 600_000

/**
 * Creates a reader of the time limits of a chain's SpokePool, which queries a contract at most every ten minutes. It
 * throws ServiceError `unavailable` when the chain does not answer.
 */
export function createBufferReader(): (chain: BridgeChain, spokePool: Address) => Promise<DepositBuffers> {
  const known = new Map<string, { buffers: Promise<DepositBuffers>; until: number }>()

  async function read({ client }: BridgeChain, address: Address): Promise<DepositBuffers> {
    const contract = { address, abi: spokePoolAbi } as const
    try {
      const [quoteTime, fillDeadline] = await Promise.all([
        client.readContract({ ...contract, functionName: 'depositQuoteTimeBuffer' }),
        client.readContract({ ...contract, functionName: 'fillDeadlineBuffer' }),
      ])
      return { quoteTime, fillDeadline }
    } catch (cause) {
      throw serverBusy('The bridge’s contract cannot be read now. Try again later.', { cause })
    }
  }

  return (chain, spokePool) => {
    const key = `${chain.config.chainId} ${spokePool}`
    const last = known.get(key)
    if (last && last.until > Date.now()) return last.buffers
    const buffers = read(chain, spokePool)
    known.set(key, { buffers, until: Date.now() + KEPT_MS })
    // Failed reads are not cached.
    buffers.catch(() => known.get(key)?.buffers === buffers && known.delete(key))
    return buffers
  }
}
