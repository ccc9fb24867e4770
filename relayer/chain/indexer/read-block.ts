import { getAddress, numberToHex, zeroAddress, type Address, type Hash, type Hex } from 'viem'
import { RpcRefusal } from '../../../proving/simulation/json-rpc.ts'
import { extraFeeOfReceipt } from '../extra-fee-of-receipt.ts'
import { createAddressFilter, type AddressTest } from './address-filter.ts'
import { askNodes, WrongAnswerError, type AskOne, type Nodes } from './ask-nodes.ts'
import type { BlockFacts, FoundTransfer, FoundTx, TraceMode } from './block-facts.ts'
import { logsFillBloom } from './check-bloom.ts'
import { findBridgeEvents, type BridgeContracts } from './find-bridge-events.ts'
import { findCashEvents, type CashContracts } from './find-cash-events.ts'
import { boundMoves, findIntents } from './find-intents.ts'
import { findNative, type NativeMove } from './find-native.ts'
import { findPoolEvents } from './find-pool-events.ts'
import { findRelayed } from './find-relayed.ts'
import { findTransfers } from './find-transfers.ts'
import type { RawBlock, RawLog, RawReceipt, RawTransaction } from './raw-block.ts'
import { topLevelMoves } from './trace-apart.ts'
import { traceBlock, type TraceModes } from './trace-block.ts'

/** Contracts of a chain whose logs are read in their own way. */
export interface ChainContracts {
  wrappedNative: Address | null
  /** The native coin's own ERC-20, if any. */
  coinToken: Address | null
  /** The traces show its calls to accounts. */
  orchestrator: Address | null
  /** All whose events count: present and past ones. */
  orchestrators: readonly Address[]
  bridges: readonly BridgeContracts[]
  /** Escrows of cash-outs. */
  cash: readonly CashContracts[]
}

/** Which block to read, and what a right answer must look like. */
export interface BlockRequest {
  /** By number, or by hash for one that is known. */
  block: bigint | Hash
  /** A block of that number with another parent is no answer. */
  parentHash?: Hash
  contracts: ChainContracts
  /** Whether the chain's headers have a log bloom and its logs are numbered from 0. */
  checkLogs: boolean
  /** Old blocks may be known without their state: then without their traces too. */
  isPast?: boolean
}

const isEmptyBloom = (bloom: Hex) => /^0x0*$/.test(bloom)
const toNumber = (quantity: Hex) => Number(quantity)
const GWEI = 1_000_000_000n

/**
 * Reads a block with its logs and traces, and keeps what concerns addresses in the filter. All parts come from one
 * node and are checked against each other; otherwise the next node is asked.
 *
 * @throws The last node's error, when no node gives a consistent block.
 */
export function readBlock(
  nodes: Nodes,
  modes: TraceModes,
  request: BlockRequest,
  filter: AddressTest,
): Promise<BlockFacts> {
  return askNodes(nodes, async (ask, url) => {
    const block = await fetchBlock(ask, request)
    const [logs, traced] = await Promise.all([
      fetchLogs(ask, block, request.checkLogs),
      block.transactions.length === 0
        ? { mode: modes.get(url)?.mode ?? 'none', moves: [] }
        : traceBlock(ask, url, block, modes, request.contracts.orchestrator).catch((error: unknown) => {
            // Busy, silent or wrong is not the same as having forgotten the state of long ago.
            if (request.isPast && error instanceof RpcRefusal && !error.concernsNodeOnly)
              return { mode: 'none' as const, moves: null }
            throw error
          }),
    ])
    const others = nodes.urls.some((other) => other !== url && modes.get(other)?.mode !== 'none')
    if (traced.moves === null && others && !request.isPast)
      throw new WrongAnswerError('the node has no traces, another may have')
    return collectFacts(ask, { block, logs, ...traced }, request.contracts, filter)
  })
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

async function fetchLogs(ask: AskOne, block: RawBlock, check: boolean): Promise<readonly RawLog[]> {
  const silent = isEmptyBloom(block.logsBloom)
  if (block.transactions.length === 0 && silent) return []
  const [answer] = await ask([{ method: 'eth_getLogs', params: [{ blockHash: block.hash }] }])
  if (!Array.isArray(answer)) throw new WrongAnswerError('the node gave no logs')
  const logs = (answer as RawLog[]).toSorted((a, b) => toNumber(a.logIndex) - toNumber(b.logIndex))
  if (logs.some(({ blockHash }) => blockHash !== block.hash))
    throw new WrongAnswerError('the logs are of another block')
  if (!check) return logs
  if (logs.some(({ logIndex }, index) => toNumber(logIndex) !== index))
    throw new WrongAnswerError('logs of the block are missing')
  if (!(await logsFillBloom(block.logsBloom, logs)))
    throw new WrongAnswerError('logs that the bloom of the block tells of are missing')
  return logs
}

async function collectFacts(
  ask: AskOne,
  from: { block: RawBlock; logs: readonly RawLog[]; mode: TraceMode; moves: NativeMove[] | null },
  contracts: ChainContracts,
  filter: AddressTest,
): Promise<BlockFacts> {
  const { block, logs, mode, moves } = from
  const { transactions, withdrawals = [] } = block
  const endpoints = createAddressFilter(transactions.length * 4)
  const see = (hex: string) => void endpoints.add(hex)
  const sees = (hex: string) => {
    see(hex)
    return filter.has(hex)
  }
  const hashes = transactions.map(({ hash }) => hash)

  const ownTx = new Set<number>()
  for (const [index, { from: sender, to }] of transactions.entries()) {
    const hits = [sees(sender), to !== null && sees(to)]
    if (hits.includes(true)) ownTx.add(index)
  }
  const found = findTransfers(logs, filter, contracts.wrappedNative?.toLowerCase() ?? null, see)
  const intents = boundMoves(
    findIntents(
      logs,
      {
        orchestrators: contracts.orchestrators,
        isDirect: (index, orchestrator) => transactions[index]?.to?.toLowerCase() === orchestrator,
      },
      filter,
      see,
    ),
    // Of a transaction that was traced too large, and without traces, only its own transfer is known.
    mode === 'none' ? null : moves,
  )
  const bridgeEvents = findBridgeEvents(logs, contracts.bridges, filter, see)
  const cashEvents = findCashEvents(logs, contracts.cash, sees)
  const traced = findNative(moves ?? topLevelMoves(transactions), hashes, filter, see)
  const { coinToken } = contracts
  const tokens = found.filter(({ token }) => token !== coinToken)
  // If its transfers are no calls with value, only its logs show them.
  const native = [
    ...traced,
    ...findUntraced(
      found.filter(({ token }) => token === coinToken),
      traced,
    ),
  ]
  const relayed = findRelayed(logs, filter, see)
  for (const { txIndex } of [...tokens, ...intents, ...native, ...relayed])
    if (txIndex !== null) ownTx.add(txIndex)

  const txs = await fetchTxs(
    ask,
    block,
    logs,
    [...ownTx].toSorted((a, b) => a - b),
    (address) => filter.has(address),
  )
  const failed = new Set(txs.filter(({ succeeded }) => !succeeded).map(({ txIndex }) => txIndex))
  const paid: FoundTransfer[] = withdrawals.flatMap(({ address, amount }, position) =>
    sees(address) && BigInt(amount) > 0n ? withdrawalTransfer(address, BigInt(amount) * GWEI, position) : [],
  )
  return {
    number: BigInt(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: toNumber(block.timestamp),
    traces: mode,
    isTraced: transactions.length === 0 || mode !== 'none',
    // Without traces a failed transaction has not been noticed yet.
    transfers: [
      ...tokens,
      ...native.filter(({ txIndex }) => txIndex === null || !failed.has(txIndex)),
      ...paid,
    ],
    relayed,
    txs,
    intents,
    poolEvents: findPoolEvents(logs),
    bridgeEvents,
    cashEvents,
    nativeTouched: [
      ...(sees(block.miner) ? [getAddress(block.miner)] : []),
      ...txs.flatMap(({ from: sender }) => (filter.has(sender) ? sender : [])),
    ],
    endpoints: endpoints.shared,
  }
}

/** Moves of the coin that its own token logs and the traces lack. */
function findUntraced(told: readonly FoundTransfer[], traced: readonly FoundTransfer[]): FoundTransfer[] {
  const nameOf = ({ txHash, to, amount }: FoundTransfer) => `${txHash} ${to} ${amount}`
  const known = new Set(traced.map(nameOf))
  return told
    .filter((one) => one.standard === 'erc20' && !known.has(nameOf(one)))
    .map((one) => ({ ...one, standard: 'native', token: zeroAddress }))
}

/** Hex digits of 64 KiB with their prefix; more calldata is not kept. */
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

/** The transactions of those indexes with their receipts. */
async function fetchTxs(
  ask: AskOne,
  block: RawBlock,
  logs: readonly RawLog[],
  indexes: readonly number[],
  isSeen: (address: string) => boolean,
): Promise<FoundTx[]> {
  if (indexes.length === 0) return []
  const own = indexes.map((index) => block.transactions[index] as RawTransaction)
  const answers = await ask(own.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
  return own.map((tx, at) => {
    const receipt = answers[at] as RawReceipt | null
    if (receipt?.blockHash !== block.hash || receipt.transactionHash !== tx.hash)
      throw new WrongAnswerError('the receipts are of another block')
    const said = logs.filter(({ transactionHash }) => transactionHash === tx.hash).length
    if (receipt.logs.length !== said) throw new WrongAnswerError('logs of the block are missing')
    const gasUsed = BigInt(receipt.gasUsed)
    const blobFee = BigInt(receipt.blobGasUsed ?? 0) * BigInt(receipt.blobGasPrice ?? 0)
    const extraFee = blobFee + extraFeeOfReceipt(receipt, gasUsed)
    return {
      txHash: tx.hash,
      txIndex: indexes[at] as number,
      from: getAddress(tx.from),
      to: tx.to === null ? null : getAddress(tx.to),
      txNonce: toNumber(tx.nonce),
      value: BigInt(tx.value),
      succeeded: receipt.status !== '0x0',
      gasUsed,
      fee: gasUsed * BigInt(receipt.effectiveGasPrice ?? 0) + extraFee,
      selector: tx.input.length >= 10 ? (tx.input.slice(0, 10) as Hex) : null,
      input: isSeen(tx.from) && tx.input.length <= MAX_INPUT ? tx.input : null,
    }
  })
}
