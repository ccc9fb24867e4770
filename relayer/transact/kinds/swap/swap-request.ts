import type { Address } from 'viem'
import { findSpareOutput } from '../../../../db/transact/spare-outputs.ts'
import type { KindContext, MaxRequestBase, ChainRequest } from '../quote-kind.ts'
import type { RequestedFunders } from '../quote-plan.ts'
import { checkRecipient, type AcknowledgedWarnings, type Recipient } from '../../safety/check-recipient.ts'
import type { VenueChain } from '../../venues/swap/swap-venue.ts'

/** Request for an exchange. Amounts in the spent token's smallest unit; the zero address is the native coin. */
export interface SwapRequest extends ChainRequest, AcknowledgedWarnings, RequestedFunders {
  kind: 'swap'
  tokenIn: Address
  tokenOut: Address
  /** Chain of the output; the same chain unless given. */
  tokenOutChainId?: number | null | undefined
  /** Amount to exchange; fees come on top. */
  amountIn: bigint
  /** Requested slippage, in basis points; chosen by the service unless given. */
  requestedSlippageBps: number | undefined
  /** Price impact that the user has seen and accepts, in percent. */
  acknowledgedPriceImpact?: number | null | undefined
  /** Decimals of `tokenIn` as the client knows them. */
  decimals?: number | undefined
  /** Recipient of the output, an address or a name; a fresh address of the account unless given. */
  destinationAddress?: string | undefined
  /** Replaces the recipient if nothing is signed: a random address that is not checked. */
  standIn?: Address
}

/** Request for the most of a token that a wallet could exchange. */
export interface MaxSwapRequest extends MaxRequestBase {
  kind: 'swap'
  tokenOut: Address
  tokenOutChainId?: number | null | undefined
}

/**
 * Chooses the recipient of the output. It is the destination, after its checks on the chain of the payment, else an
 * address of the account that was never paid. A stand-in is not checked.
 * @throws ServiceError as checkRecipient does.
 */
export async function chooseRecipient(
  context: KindContext,
  { config, client }: VenueChain,
  { destinationAddress, standIn, ...acknowledged }: SwapRequest,
  token: Address,
): Promise<Recipient> {
  const { accountId, database, addresses } = context
  if (destinationAddress !== undefined) {
    const asked = { ...acknowledged, chainId: config.chainId, token, destinationAddress }
    return checkRecipient(context, client, accountId, asked)
  }
  if (standIn !== undefined) return { address: standIn, name: null, owned: true, poisoning: null }
  const spare = await findSpareOutput(database, accountId)
  const address = spare ?? (await addresses.issue(accountId, 'fund-movement')).address
  return { address, name: null, owned: true, poisoning: null }
}

/** True if the output of a request goes to an address issued for it. */
export const isOutputFresh = ({ destinationAddress, standIn }: SwapRequest): boolean =>
  destinationAddress === undefined && standIn === undefined
