// SPDX-License-Identifier: MIT
// Decodes the calls that put tokens into the escrow of Peer, by the depositor or by a bridge's message. Anything that is not
// exactly such a sale is refused: the escrow acts on this calldata, whatever else a quote says.
import { escrowAbi } from '../chain/abis.ts'
import { isAddressEqual, keccak256, stringToHex, zeroAddress, type Address, type Hex } from 'viem'
import type { CashOutCrossing, CashOutOptions } from './cash-out.ts'
import { checkDeposit, decodeDeposit, decodeMessage } from './decode-crossing.ts'
import { decode, demandApprovals } from '../chain/decode-call.ts'
import type { Call } from '../chain/read-canonical-calls.ts'

/** The escrow's deposit of a sale. */
export interface DecodedSale {
  /** Smallest unit. */
  amount: bigint
  payeeDetails: Hex
  /** Buyers pay at least this for a whole token, times 1e18. */
  minimumRate: bigint
  /** Seconds since 1970; only where a bridge brings the tokens. */
  fillDeadline?: number
}

const hashOf = (name: string) => keccak256(stringToHex(name))

/**
 * @param depositor In whose name another opens the sale; undefined where the depositor does.
 * @throws Error unless the calls are one sale at the known escrow, and approvals of exactly that.
 */
export function decodeSale(
  calls: readonly Call[],
  { token, paymentMethod, currency, venue }: Omit<CashOutOptions, 'amount'>,
  name: 'createDeposit' | 'depositTo',
  depositor?: Address,
): DecodedSale {
  const made = calls.find(({ to }) => isAddressEqual(to, venue.escrow))
  if (!made || made.value !== 0n) throw new Error('the intent puts nothing into the escrow')
  const [params, owner] =
    name === 'createDeposit'
      ? [decode(escrowAbi, name, made)[0], depositor]
      : decode(escrowAbi, name, made).toReversed()
  if (typeof params !== 'object' || (depositor && owner !== depositor))
    throw new Error('the escrow would hold it for somebody else')
  const { amount, paymentMethods, paymentMethodData, currencies, intentAmountRange } = params
  demandApprovals(calls, { contract: venue.escrow, token, amount })
  const [[method, ...methods], [data, ...datas], [prices, ...more]] = [
    paymentMethods,
    paymentMethodData,
    currencies,
  ]
  const [price, ...prizes] = prices ?? []
  if (!method || !data || !price || methods.length + datas.length + more.length + prizes.length > 0)
    throw new Error('it is sold in another way than by one method in one currency')
  if (!isAddressEqual(params.token, token)) throw new Error('another token is sold')
  if (method !== hashOf(paymentMethod) || price.code !== hashOf(currency))
    throw new Error('buyers would pay by another method or in another currency')
  if (!isAddressEqual(data.intentGatingService, venue.gatingService) || data.data !== '0x')
    throw new Error('somebody else would say who may buy')
  const { adapter, adapterConfig, spreadBps } = price.oracleRateConfig
  const isOwnPrice = venue.feedConfig === undefined || adapterConfig === venue.feedConfig
  if (!isAddressEqual(adapter, venue.feed) || !isOwnPrice || Math.abs(spreadBps) > MAX_SPREAD_BPS)
    throw new Error('the price would come from somewhere else')
  const isNobodys =
    isAddressEqual(params.delegate, zeroAddress) && isAddressEqual(params.intentGuardian, zeroAddress)
  if (!isNobodys || params.retainOnEmpty) throw new Error('somebody else could manage the deposit')
  if (intentAmountRange.max !== amount || intentAmountRange.min > amount)
    throw new Error('buyers could not buy all of it')
  return { amount, payeeDetails: data.payeeDetails, minimumRate: price.minConversionRate }
}

/** A spread that is larger sells below the market, or never. */
const MAX_SPREAD_BPS = 500

/**
 * The sale that the message of a deposit with the bridge opens. If the calls of the message fail, the depositor has the
 * bridged token.
 * @throws Error unless the calls are such a deposit and approvals of exactly that.
 */
export function decodeSaleOfFill(
  calls: readonly Call[],
  asked: CashOutOptions & { crossing: CashOutCrossing; depositor: Address },
): DecodedSale {
  const { crossing, depositor, token, amount } = asked
  const made = calls.find(({ to }) => isAddressEqual(to, crossing.spokePool))
  if (!made || made.value !== 0n) throw new Error('the intent deposits nothing with the bridge')
  const deposit = decodeDeposit(made)
  checkDeposit(deposit, crossing)
  demandApprovals(calls, { contract: crossing.spokePool, token, amount })
  if (deposit.inputAmount !== amount || !isAddressEqual(deposit.inputToken, token))
    throw new Error('the bridge takes something else than is sold')
  if (!isAddressEqual(deposit.depositor, depositor)) throw new Error('a refund would go to somebody else')
  if (!isAddressEqual(deposit.recipient, crossing.multicallHandler))
    throw new Error('the message is for another contract')
  const { calls: opening, fallbackRecipient } = decodeMessage(deposit.message)
  if (!isAddressEqual(fallbackRecipient, depositor))
    throw new Error('where the escrow refuses, somebody else would get what arrives')
  const sale = decodeSale(opening, { ...asked, token: deposit.outputToken }, 'depositTo', depositor)
  if (sale.amount !== deposit.outputAmount) throw new Error('the escrow takes another amount than arrives')
  return { ...sale, fillDeadline: deposit.fillDeadline }
}
