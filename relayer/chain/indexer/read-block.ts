import { getAddress, numberToHex, zeroAddress, type Address, type Hash, type Hex } from 'viem'
import { RpcRefusal } from '../../../proving/rpc/json-rpc.ts'
import { extraFeeOfReceipt } from '../nodes/extra-fees.ts'
import { createAddressFilter, type AddressTest } from './address-filter.ts'
import { askNodes, WrongAnswerError, type AskOne, type Nodes } from './ask-nodes.ts'
import type { BlockFacts, BlockPart, FoundTransfer, FoundTx } from './block-facts.ts'
import { findBridgeEvents, type BridgeContracts } from './find-bridge-events.ts'
import { findCashEvents, type CashContracts } from './find-cash-events.ts'
import { boundMoves, findIntents } from './find-intents.ts'
import { findNative } from './find-native.ts'
import { findPoolEvents } from './find-pool-events.ts'
import { findRelayed } from './find-relayed.ts'
import { findTransfers } from './find-transfers.ts'
import type { RawBlock, RawLog, RawReceipt, RawTransaction } from './raw-block.ts'
import { topLevelMoves } from './trace-apart.ts'
import { traceBlock, type TracedBlock, type TraceModes } from './trace-block.ts'
import { readBlockLogs, type ReadLogs } from './read-logs.ts'
import { isOfChain } from './read-traces.ts'

/** Contracts of a chain whose logs are read in their own way. */
export interface ChainContracts {
  wrappedNative: Address | null
  /** The native coin's own ERC-20, if any. */
  coinToken: Address | null
  /** The traces show its calls to accounts. */
  orchestrator: Address | null
  /** All contracts whose events count: present and past ones. */
  orchestrators: readonly Address[]
  bridges: readonly BridgeContracts[]
  /** Escrows of cash-outs. */
  cash: readonly CashContracts[]
}

/** The block to read, and the conditions of a right answer. */
export interface BlockRequest {
  /** By number, or by hash for a known one. */
  block: bigint | Hash
  /** A block of that number with another parent is rejected. */
  parentHash?: Hash
  contracts: ChainContracts
  /** Whether the chain's headers have a log bloom and its logs are numbered from 0. */
  checkLogs: boolean
  /** Nodes may have dropped the state of old blocks, and their traces with it. */
  isPast?: boolean
  /**
   * Parts that may be left out if no node shows them correctly. `traces`: native coins are then found by balances. `all`:
   * also logs and receipts that are missing or contradict the header.
   */
  concede?: 'traces' | 'all'
}

const toNumber = (quantity: Hex) => Number(quantity)
const GWEI = 1_000_000_000n

/**
 * Reads a block with its logs and traces, and extracts the facts of addresses in the filter. All parts come from one node
 * and are checked against each other; otherwise the next node is asked. Concessions apply only once no node has shown
 * everything.
 *
 * @throws The last node's error, when no node gives a consistent block.
 */
export async function readBlock(
  nodes: Nodes,
  modes: TraceModes,
  request: BlockRequest,
  filter: AddressTest,
): Promise<BlockFacts> {
  const readAs = (asked: BlockRequest, rounds?: number) =>
    askNodes(nodes, (ask, url) => readOf({ ask, url, nodes, modes, request: asked }, filter), rounds)
  const { concede, ...strict } = request
  if (!concede) return readAs(strict)
  return readAs(strict, 1).catch(() => readAs(request, 1))
}

/** One node is asked for a block. */
interface Asking {
  ask: AskOne
  url: string
  nodes: Nodes
  modes: TraceModes
  request: BlockRequest
}

async function readOf(asking: Asking, filter: AddressTest): Promise<BlockFacts> {
  const { ask, url, nodes, modes, request } = asking
  const block = await fetchBlock(ask, request)
  const [logs, traced] = await Promise.all([
    readBlockLogs(ask, block, { isChecked: request.checkLogs, mayLack: request.concede === 'all' }),
    readMoves(asking, block),
  ])
  const others = nodes.urls.some((other) => other !== url && modes.get(other)?.mode !== 'none')
  const isShownByAnother = traced.moves === null && others && !request.isPast
  if (isShownByAnother && !request.concede)
    throw new WrongAnswerError('the node has no traces, another may have')
  const isConceded = traced.isConceded === true || isShownByAnother
  try {
    return await collectFacts(ask, { block, logs, traced: { ...traced, isConceded } }, request, filter)
  } catch (error) {
    if (request.concede !== 'all') throw error
    // Some part is unintelligible: only the header is used.
    const bare = { ...block, transactions: [], withdrawals: [] }
    const nothing = { mode: 'none' as const, moves: null, isConceded: true }
    return collectFacts(
      ask,
      { block: bare, logs: { logs: [], isWhole: false }, traced: nothing },
      request,
      filter,
    )
  }
}

async function readMoves(
  { ask, url, modes, request }: Asking,
  block: RawBlock,
): Promise<TracedBlock & { isConceded?: boolean }> {
  if (block.transactions.length === 0) return { mode: modes.get(url)?.mode ?? 'none', moves: [] }
  try {
    return await traceBlock(ask, url, block, modes, request.contracts.orchestrator)
  } catch (error) {
    if (request.concede) return { mode: 'none', moves: null, isConceded: true }
    // A busy, silent or wrong node has not dropped old state.
    if (request.isPast && error instanceof RpcRefusal && !error.concernsNodeOnly)
      return { mode: 'none', moves: null }
    throw error
  }
}

async function fetchBlock(ask: AskOne, { block: wanted, parentHash }: BlockRequest): Promise<RawBlock> {
  const byHash = typeof wanted === 'string'
  const [answer] = await ask([
    byHash
      ? { method: 'eth_getBlockByHash', params: [wanted, true] }
      : { method: 'eth_getBlockByNumber', params: [numberToHex(wanted), true] },
  ])
  const block = answer as RawBlock | null
  if (!block?.hash) throw new WrongAnswerError('the node does not have the block')
  const isIt = byHash ? block.hash === wanted : BigInt(block.number) === wanted
  if (!isIt) throw new WrongAnswerError('the node gave another block than the one asked for')
  if (parentHash && block.parentHash !== parentHash)
    throw new WrongAnswerError('the block does not follow the one before')
  return block
}

/** A block with its logs and moves, and the addresses to look for in them. */
interface Scan {
  block: RawBlock
  logs: readonly RawLog[]
  traced: TracedBlock
  contracts: ChainContracts
  filter: AddressTest
  /** Notes an address of the block. */
  see(hex: string): void
  /** Notes it; true if the filter has it. */
  sees(hex: string): boolean
}

async function collectFacts(
  ask: AskOne,
  from: { block: RawBlock; logs: ReadLogs; traced: TracedBlock & { isConceded?: boolean } },
  { contracts, concede }: BlockRequest,
  filter: AddressTest,
): Promise<BlockFacts> {
  const { block, traced } = from
  const { logs, isWhole } = from.logs
  const { mode, moves, ofChain = [], isConceded = false } = traced
  const { transactions } = block
  const endpoints = createAddressFilter(transactions.length * 4)
  const see = (hex: string) => void endpoints.add(hex)
  const sees = (hex: string) => {
    see(hex)
    return filter.has(hex)
  }
  const scan = { block, logs, traced, contracts, filter, see, sees }
  const parties = listPartyTxs(scan)
  const found = findMoves(scan)
  const events = listEvents(scan)
  const own = listOwnTxs(parties, [...found.tokens, ...found.intents, ...found.native, ...found.relayed])
  const txs = await fetchTxs(ask, block, {
    logs,
    indexes: own,
    isSeen: (address) => filter.has(address),
    mayLack: concede === 'all',
  })
  const shown = new Map(txs.map((tx) => [tx.txIndex, tx]))
  /** Without traces a failed transaction is not known yet; without a receipt nothing is known. */
  const isUndone = (txIndex: number | null) =>
    txIndex !== null && (shown.has(txIndex) ? !shown.get(txIndex)!.succeeded : moves === null)
  const named = listNamed(logs, new Set(ofChain.map((index) => transactions[index]?.hash)), sees)
  const leftOut: BlockPart[] = [
    ...(isConceded ? (['traces'] as const) : []),
    ...(isWhole ? [] : (['logs'] as const)),
    ...(txs.length < own.length ? (['receipts'] as const) : []),
  ]
  const native = found.native.filter(({ txIndex }) => !isUndone(txIndex))
  return {
    number: BigInt(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: toNumber(block.timestamp),
    traces: mode,
    isTraced: leftOut.length === 0 && (transactions.length === 0 || (mode !== 'none' && named.length === 0)),
    transfers: [...found.tokens, ...native, ...listWithdrawals(scan)],
    relayed: found.relayed,
    txs,
    intents: found.intents,
    ...events,
    nativeTouched: [
      ...(sees(block.miner) ? [getAddress(block.miner)] : []),
      ...txs.flatMap(({ from: sender }) => (filter.has(sender) ? sender : [])),
      ...named,
    ],
    leftOut,
    endpoints: endpoints.shared,
  }
}

/** Lists the indexes of transactions from or to an address of the filter. */
function listPartyTxs({ block, sees }: Scan): number[] {
  return block.transactions.flatMap(({ from, to }, index) => {
    const hits = [sees(from), to !== null && sees(to)]
    return hits.includes(true) ? index : []
  })
}

/** Lists the indexes of the transactions that concern the filter, ascending. */
function listOwnTxs(parties: readonly number[], found: readonly { txIndex: number | null }[]): number[] {
  const indexes = found.flatMap(({ txIndex }) => txIndex ?? [])
  return [...new Set([...parties, ...indexes])].toSorted((a, b) => a - b)
}

function findMoves({ block, logs, traced, contracts, filter, see }: Scan) {
  const { transactions } = block
  const { mode, moves } = traced
  const { wrappedNative, coinToken, orchestrators } = contracts
  const isDirect = (index: number, orchestrator: string) =>
    transactions[index]?.to?.toLowerCase() === orchestrator
  const transfers = findTransfers(logs, filter, wrappedNative?.toLowerCase() ?? null, see)
  const intents = boundMoves(
    findIntents(logs, { orchestrators, isDirect }, filter, see),
    // Without traces, or where a trace was too large, only a transaction's own transfer is known.
    mode === 'none' ? null : moves,
  )
  const hashes = transactions.map(({ hash }) => hash)
  const direct = findNative(moves ?? topLevelMoves(transactions), hashes, filter, see)
  // If its transfers are no calls with value, only its logs show them.
  const ofCoin = transfers.filter(({ token }) => token === coinToken)
  return {
    tokens: transfers.filter(({ token }) => token !== coinToken),
    intents,
    native: [...direct, ...findUntraced(ofCoin, direct)],
    relayed: findRelayed(logs, filter, see),
  }
}

function listEvents({ logs, contracts, filter, see, sees }: Scan) {
  return {
    poolEvents: findPoolEvents(logs),
    bridgeEvents: findBridgeEvents(logs, contracts.bridges, filter, see),
    cashEvents: findCashEvents(logs, contracts.cash, sees),
  }
}

function listWithdrawals({ block: { withdrawals = [] }, sees }: Scan): FoundTransfer[] {
  return withdrawals.flatMap(({ address, amount }, position) =>
    sees(address) && BigInt(amount) > 0n ? withdrawalTransfer(address, BigInt(amount) * GWEI, position) : [],
  )
}

/** Finds moves of the coin that its own token logs and the traces lack. */
function findUntraced(told: readonly FoundTransfer[], traced: readonly FoundTransfer[]): FoundTransfer[] {
  const nameOf = ({ txHash, to, amount }: FoundTransfer) => `${txHash} ${to} ${amount}`
  const known = new Set(traced.map(nameOf))
  return told
    .filter((one) => one.standard === 'erc20' && !known.has(nameOf(one)))
    .map((one) => ({ ...one, standard: 'native', token: zeroAddress }))
}

/** Hex digits of 64 KiB with their prefix; longer calldata is not stored. */
const MAX_INPUT = 2 + 2 * 65_536

function withdrawalTransfer(address: Address, amount: bigint, position: number): FoundTransfer {
  return {
    source: 'withdrawal',
    position,
    item: 0,
    txHash: null,
    txIndex: null,
    standard: 'native',
    token: zeroAddress,
    tokenId: null,
    from: zeroAddress,
    to: getAddress(address),
    amount,
  }
}

/** Returns the addresses of the filter that logs of some transactions name in a topic. */
function listNamed(
  logs: readonly RawLog[],
  hashes: ReadonlySet<Hash | undefined>,
  sees: (hex: string) => boolean,
): Address[] {
  if (hashes.size === 0) return []
  const topics = logs.flatMap((log) => (hashes.has(log.transactionHash) ? log.topics.slice(1) : []))
  const isAddress = (topic: Hex) => topic.length === 66 && topic.startsWith(`0x${'0'.repeat(24)}`)
  return [...new Set(topics)]
    .filter((topic) => isAddress(topic) && sees(topic))
    .map((topic) => getAddress(`0x${topic.slice(-40)}`))
}

/** Reads the transactions of those indexes with their receipts; omits those without a receipt, where that is allowed. */
async function fetchTxs(
  ask: AskOne,
  block: RawBlock,
  asked: {
    logs: readonly RawLog[]
    indexes: readonly number[]
    isSeen: (address: string) => boolean
    mayLack: boolean
  },
): Promise<FoundTx[]> {
  const { logs, indexes, isSeen, mayLack } = asked
  if (indexes.length === 0) return []
  const own = indexes.map((index) => block.transactions[index] as RawTransaction)
  const answers = await ask(own.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
  return own.flatMap((tx, at) => {
    const answer = answers[at] as RawReceipt | null
    const isIt = answer?.blockHash === block.hash && answer.transactionHash === tx.hash
    const said = logs.filter(({ transactionHash }) => transactionHash === tx.hash).length
    if (!isIt && !isOfChain(tx)) {
      if (mayLack) return []
      throw new WrongAnswerError('the receipts are of another block')
    }
    if (isIt && answer.logs.length !== said && !mayLack)
      throw new WrongAnswerError('logs of the block are missing')
    return txOf(tx, indexes[at] as number, isIt ? answer : null, isSeen)
  })
}

/** @param receipt Null for a transaction that the chain made itself, which pays no fee. */
function txOf(
  tx: RawTransaction,
  txIndex: number,
  receipt: RawReceipt | null,
  isSeen: (address: string) => boolean,
): FoundTx {
  const gasUsed = BigInt(receipt?.gasUsed ?? 0)
  const blobFee = BigInt(receipt?.blobGasUsed ?? 0) * BigInt(receipt?.blobGasPrice ?? 0)
  const extraFee = receipt ? blobFee + extraFeeOfReceipt(receipt, gasUsed) : 0n
  return {
    txHash: tx.hash,
    txIndex,
    from: getAddress(tx.from),
    to: tx.to === null ? null : getAddress(tx.to),
    txNonce: toNumber(tx.nonce),
    value: BigInt(tx.value),
    succeeded: receipt?.status !== '0x0',
    gasUsed,
    fee: gasUsed * BigInt(receipt?.effectiveGasPrice ?? 0) + extraFee,
    selector: tx.input.length >= 10 ? (tx.input.slice(0, 10) as Hex) : null,
    input: isSeen(tx.from) && tx.input.length <= MAX_INPUT ? tx.input : null,
  }
}
