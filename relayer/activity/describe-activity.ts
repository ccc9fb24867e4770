import { zeroAddress, type Address } from 'viem'
import type { ChainConfig } from '../chain/nodes/config.ts'
import { explorerTxUrlBase } from '../chain/nodes/supported-chains.ts'
import { tokenIdOf } from '../market/tokens/token-id.ts'
import type { KindActivity } from '../transact/kinds/quote-kind.ts'
import { checksumAddress } from '../chain/checksum-address.ts'
import { executionStatusOfCash } from '../transact/cash-orders/cash-state.ts'
import { kindOf } from '../transact/kinds/quote-kinds.ts'
import type { ActivityItem, ActivityPool, ActivitySwap, ActivityTransfer, TokenAmount } from './activity.ts'
import { classifyActivity } from './classify-activity.ts'
import type { AppRegistry } from '../account/apps/app-registry.ts'
import { describeApp, describeCalls } from './describe-app-call.ts'
import type { DescribeAmount } from './describe-amounts.ts'
import { describeConversion, feeOrNone } from './describe-conversion.ts'
import { describeOffRamp } from './describe-off-ramp.ts'
import { describeOrder, type OrderChain } from './describe-order.ts'
import { describeExchange } from './describe-exchange.ts'
import type { AccountTransaction, ItemSources } from './load-facts.ts'

/** Sources of what an item shows beside its transaction. */
interface ActivityItemSources extends ItemSources {
  chainOf(chainId: number): OrderChain | undefined
  apps: AppRegistry
}

/** Describes one transaction for its account. */
export function describeActivity(
  transaction: AccountTransaction,
  chain: ChainConfig,
  sources: ActivityItemSources,
): ActivityItem {
  const { row, tx, isOwn, isExternal, sending: sent } = transaction
  // A quote determines its own kind; other transactions are classified by their transfers.
  const quoted = sent && kindOf(sent.kind).activity(isOwn(sent.recipient))
  const amountOf = amountsBy(sources)
  const crossing =
    sent?.order && describeOrder(sent.order, sources.chainOf, isOwn(sent.order.outputRecipient), amountOf)
  const appCall = sent ? sources.appCallOf(sent.quoteId) : undefined
  const offRamp = sent?.cash ? describeOffRamp(sent.cash, sent, sources.chainOf, amountOf) : null
  // A cash-out that crosses to the escrow's chain is still a payment.
  const kind = (offRamp ? null : crossing?.kind) ?? quoted?.kind ?? classifyActivity(transaction)
  const transfers = describeTransfers(transaction, amountOf)
  const sending = transfers.filter(({ from, to, value }) => value > 0n && isOwn(from) && !isOwn(to))
  return {
    txHash: row.txHash,
    txHashes: sent ? [...new Set(sent.txHashes)] : [row.txHash],
    quoteId: sent?.quoteId ?? null,
    chainId: row.chainId,
    chainName: chain.name,
    explorerTxUrlBase: explorerTxUrlBase(chain),
    date: row.blockTime,
    kind,
    executionStatus: sent?.cash
      ? executionStatusOfCash(sent.cash)
      : (crossing?.executionStatus ?? executionStatusOf(transaction)),
    isExternal,
    isLikelySpam: isLikelySpam(transaction, transfers),
    fees: feesOf(transaction, amountOf),
    platformFeeBps: sent?.feeBps ?? null,
    fundingAddresses: sent
      ? sent.eoas.map((eoa) => checksumAddress(eoa))
      : transaction.isClaim
        ? []
        : [...new Set(sending.map(({ from }) => from))],
    transfers,
    hasMoreTransfers: transaction.hasMoreTransfers,
    swap: crossing
      ? kind === 'CROSS_CHAIN_SWAP' && crossing.kind === 'CROSS_CHAIN_SWAP'
        ? crossing.bridge
        : null
      : quoted
        ? describeQuotedSwap(transaction, quoted, transfers, amountOf)
        : kind === 'SWAP'
          ? describeSwap(transfers, isOwn)
          : null,
    bridge: crossing?.bridge ?? null,
    offRamp,
    pool: describePool(transaction, amountOf, sources),
    app: describeApp(appCall, sent?.eoas[0], sources.apps),
    calls: kind === 'DAPP_CALL' ? describeCalls(appCall, isExternal ? tx : null) : null,
  }
}

const amountsBy =
  (sources: ItemSources): DescribeAmount =>
  (chainId, address, value) => {
    const id = tokenIdOf(chainId, address as Address)
    return {
      chainId,
      tokenAddress: id.address,
      token: sources.tokenOf(id),
      value,
      price: sources.priceOf(id),
    }
  }

const describeTransfers = (
  { transfers, isOwn }: AccountTransaction,
  amountOf: DescribeAmount,
): ActivityTransfer[] =>
  transfers.map((transfer) => ({
    ...amountOf(transfer.chainId, transfer.token, transfer.amount),
    // Ids are not tokens of the catalogue.
    ...(transfer.tokenId !== null && { token: null, price: null }),
    from: checksumAddress(transfer.from),
    to: checksumAddress(transfer.to),
    tokenId: transfer.tokenId,
    ownEnd: !isOwn(transfer.from) ? 'to' : isOwn(transfer.to) ? 'both' : 'from',
  }))

/** A quote's sender pays the fees in the sent token; the service's signer pays the gas. */
function feesOf({ row, tx, isExternal, sending }: AccountTransaction, amountOf: DescribeAmount) {
  const feePaid = isExternal && tx !== null ? tx.fee : 0n
  const feeToUs = sending?.fees.reduce((sum, { value }) => sum + value, 0n) ?? 0n
  return [
    ...(sending && feeToUs > 0n ? [amountOf(row.chainId, sending.token, feeToUs)] : []),
    ...(feePaid > 0n ? [amountOf(row.chainId, zeroAddress, feePaid)] : []),
  ]
}

/** A quote may need several transactions, and some of them may fail. */
function executionStatusOf({ tx, sending, transfers }: AccountTransaction): ActivityItem['executionStatus'] {
  if (tx?.succeeded === false) return 'failed'
  if (sending?.status !== 'failed') return 'succeeded'
  return transfers.length > 0 ? 'partial' : 'failed'
}

/**
 * True for likely spam: transfers of zero (address poisoning), bait tokens, and tokens without metadata. Payments
 * that only forgeable tokens claim are spam too.
 */
function isLikelySpam(
  { isExternal, poolEvents, sending, isClaim }: AccountTransaction,
  transfers: readonly ActivityTransfer[],
): boolean {
  if (isClaim) return true
  if (isExternal || sending || poolEvents.length > 0 || transfers.length === 0) return false
  return transfers.every(
    ({ value, token, tokenId }) => value === 0n || (tokenId === null && (token === null || token.spam)),
  )
}

/** Describes the exchange of a quote in this transaction; null if it failed. */
function describeQuotedSwap(
  { sending, isOwn }: AccountTransaction,
  { isExchange }: KindActivity,
  transfers: readonly ActivityTransfer[],
  amountOf: (chainId: number, token: string, value: bigint) => TokenAmount,
): ActivitySwap | null {
  if (!sending || !isExchange) return null
  const arrived = transfers
    .filter(({ to, tokenAddress }) => to === sending.recipient && tokenAddress === sending.output?.token)
    .reduce((sum, { value }) => sum + value, 0n)
  if (sending.status === 'failed' && arrived === 0n) return null
  const executed = new Set<string>(sending.eoas)
  return describeExchange(sending, { executed, arrived }, isOwn(sending.recipient), amountOf)
}

/** Pairs the largest outgoing amount with the largest incoming one; refunds of the same token do not count. */
function describeSwap(
  transfers: readonly ActivityTransfer[],
  isOwn: (address: string) => boolean,
): ActivitySwap | null {
  const sources = transfers.filter(({ from, to }) => isOwn(from) && !isOwn(to))
  const [source] = sources.toSorted(byValue)
  const [dest] = transfers
    .filter(
      ({ from, to, tokenAddress }) => !isOwn(from) && isOwn(to) && tokenAddress !== source?.tokenAddress,
    )
    .toSorted(byValue)
  return source && dest ? { source, dest, outputRecipient: dest.to, isOwnRecipient: true } : null
}

const byValue = (one: TokenAmount, other: TokenAmount) =>
  one.value > other.value ? -1 : one.value < other.value ? 1 : 0

/**
 * Describes a transaction's pool deposit or recovery. The vetting fee of a deposit is known only if its transfer is
 * shown.
 */
function describePool(
  { poolEvents, transfers, sending }: AccountTransaction,
  amountOf: (chainId: number, address: string, value: bigint) => TokenAmount,
  sources: ItemSources,
): ActivityPool | null {
  const executed = new Set<string>(sending?.eoas)
  const conversions = sending
    ? sources.conversionsOf(sending.quoteId).filter(({ address }) => executed.has(address))
    : []
  const event = poolEvents.find(({ kind }) => kind === 'deposit' || kind === 'ragequit')
  if (!event) return sending && describeConversion(sending, conversions, amountOf)
  if (event.label === null || event.value === null) return null
  const { chainId, contract, value, label, account } = event
  const token = sources.tokenOfPool(chainId, contract)
  if (token === null) return null
  const moved = transfers.find(
    (transfer) => transfer.from === account && transfer.token === token && transfer.amount >= value,
  )
  return {
    poolAddress: checksumAddress(contract),
    amount: amountOf(chainId, token, value),
    aspStatus: sources.reviewOf(label),
    commitmentId: String(label),
    vettingFee: event.kind === 'deposit' && moved ? moved.amount - value : null,
    depositFee: feeOrNone(conversions.find((one) => one.address === account)?.depositFee),
  }
}
