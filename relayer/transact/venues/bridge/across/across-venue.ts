import type { Chain } from '../../../../chain/nodes/chain.ts'
import { serverBusy } from '../../../../errors.ts'
import { swapUnavailable } from '../../../errors.ts'
import type { BridgeRoute, BridgeVenue } from '../bridge-venue.ts'
import { isFairOutput } from './check-output.ts'
import { chooseDeadlines, type ChainClocks, type DepositBuffers } from './choose-deadlines.ts'
import { encodeDepositCalls, spokePoolAbi, findSpokePoolDeposit } from './spoke-pool-deposit.ts'
import { readSuggestedFees } from './suggested-fees.ts'
import {
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  isAddressEqual,
  parseAbiParameters,
  zeroAddress,
  type Hex,
} from 'viem'
import type { Call } from '../../../intents/intent.ts'

/**
 * Creates Across as a bridge. Its service is queried for fees alone; contracts, deadlines and the least output are
 * ours. Anybody may fill at once: an exclusive filler could make users wait.
 */
export function createAcrossVenue(): BridgeVenue {
  const readBuffers = createBufferReader()
  return {
    provider: 'across',
    listRoutes,
    async quote(route, { amount, inputDecimals, outputDecimals, values, message }) {
      const { origin, destination, inputToken, outputToken, spender, handler } = route
      const across = origin.config.venues.across
      if (!across) throw swapUnavailable()
      const [fees, buffers, clocks] = await Promise.all([
        readSuggestedFees(
          { url: across.feesUrl, timeoutMs: across.timeoutMs },
          {
            originChainId: origin.config.chainId,
            destinationChainId: destination.config.chainId,
            inputToken,
            outputToken,
            amount,
            message: handler !== null && message !== '0x' ? { data: message, handler } : null,
          },
        ),
        readBuffers(origin, spender),
        readClocks(route),
      ])
      const left = amount > fees.fee ? amount - fees.fee : 0n
      // Decimals may differ between chains: a fraction that the output token cannot express stays with the filler.
      const outputAmount = (left * 10n ** BigInt(outputDecimals)) / 10n ** BigInt(inputDecimals)
      const amounts = { inputAmount: amount, inputDecimals, outputAmount, outputDecimals }
      if (!isFairOutput(amounts, across.maxFeeBps, values)) throw swapUnavailable()
      const deadlines = chooseDeadlines(clocks, buffers, {
        suggested: fees.timestamp,
        fillSeconds: across.fillDeadlineSeconds,
      })
      if (!deadlines) throw swapUnavailable()
      return { outputAmount, estimatedFillMs: Math.round(fees.fillSeconds * 1_000), ...deadlines }
    },
    depositCalls: ({ spender }, deposit, payment) =>
      encodeDepositCalls(deposit, { spokePool: spender, ...payment }),
    findDeposit({ config: { chainId, venues } }, calls) {
      const spokePool = venues.across?.spokePool
      if (spokePool === undefined) return null
      const deposit = findSpokePoolDeposit(calls, { spokePool, originChainId: chainId })
      return deposit && { deposit, spender: spokePool }
    },
    encodeMessage,
    decodeMessage,
  }
}

function listRoutes(origin: Chain, destination: Chain): readonly BridgeRoute[] {
  const from = origin.config.venues.across
  const to = destination.config.venues.across
  if (!from || !to || origin.config.chainId === destination.config.chainId) return []
  return from.tokens.flatMap(({ asset, token }) => {
    const output = to.tokens.find((carried) => carried.asset === asset)
    if (!output) return []
    return {
      provider: 'across',
      origin,
      destination,
      inputToken: token,
      outputToken: output.token,
      spender: from.spokePool,
      handler: to.multicallHandler ?? null,
    }
  })
}

/** @throws ServiceError `unavailable` when one of the chains does not answer. */
async function readClocks({ origin, destination }: BridgeRoute): Promise<ChainClocks> {
  try {
    const [from, to] = await Promise.all([origin.client.getBlock(), destination.client.getBlock()])
    const next = origin.nextBlock()?.timestamp ?? from.timestamp
    return {
      origin: Number(from.timestamp),
      originNext: Math.max(Number(next), Number(from.timestamp)),
      destination: Number(to.timestamp),
    }
  } catch (cause) {
    throw serverBusy('A chain does not answer. Try again later.', { cause })
  }
}

/** Time for which buffers are cached; they change only with an upgrade of the contract. */
const KEPT_MS = 600_000

/**
 * Creates a reader of the time limits of a chain's SpokePool, which queries a contract at most every ten minutes. It
 * throws ServiceError `unavailable` when the chain does not answer.
 */
function createBufferReader(): (chain: Chain, spokePool: Address) => Promise<DepositBuffers> {
  const known = new Map<string, { buffers: Promise<DepositBuffers>; until: number }>()

  async function read({ client }: Chain, address: Address): Promise<DepositBuffers> {
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

const INSTRUCTIONS = parseAbiParameters([
  'Instructions instructions',
  'struct Instructions { Call[] calls; address fallbackRecipient; }',
  'struct Call { address target; bytes callData; uint256 value; }',
])

/** Instructions to a MulticallHandler about the tokens of a fill. */
interface HandlerMessage {
  /** Calls of the handler; none if it only passes the token on. */
  calls: readonly Call[]
  /** Gets the output of the calls, any rest, and the bridged token if the calls fail. Never the zero address. */
  recipient: Address
}

/**
 * Encodes the message that a MulticallHandler runs at the fill. If a call fails, all of them are undone and the
 * recipient gets the bridged token instead, in the same transaction. The handler keeps nothing, because the next caller
 * could take it.
 * @throws RangeError without a recipient: such a deposit could not be filled once a call fails.
 */
export function encodeMessage({ calls, recipient }: HandlerMessage): Hex {
  if (isAddressEqual(recipient, zeroAddress)) throw new RangeError('a message needs a recipient')
  const made = calls.map(({ to, value, data }) => ({ target: to, callData: data, value }))
  return encodeAbiParameters(INSTRUCTIONS, [{ calls: made, fallbackRecipient: recipient }])
}

/** Decodes the calls of such a message and the recipient of any rest; null for any other message. */
function decodeMessage(message: Hex): { calls: readonly Call[]; recipient: Address } | null {
  try {
    const [{ calls, fallbackRecipient }] = decodeAbiParameters(INSTRUCTIONS, message)
    return {
      calls: calls.map(({ target, callData, value }) => ({ to: target, data: callData, value })),
      recipient: fallbackRecipient,
    }
  } catch {
    return null
  }
}
