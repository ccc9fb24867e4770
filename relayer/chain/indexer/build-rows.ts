import { zeroAddress, type Address } from 'viem'
import type { HoldingKey } from '../../../db/chain/indexer/holdings.ts'
import type { Facts } from '../../../db/chain/indexer/rows.ts'
import type { BlockFacts, FoundTransfer } from './block-facts.ts'
import { isOfEntrypoint } from './find-pool-events.ts'

/** Lists all addresses that passed the filter, rightly or not. */
export function listCandidates(blocks: readonly BlockFacts[]): Address[] {
  const found = new Set<Address>()
  for (const { transfers, relayed, txs, intents, bridgeEvents, cashEvents, nativeTouched } of blocks) {
    for (const { from, to } of [...transfers, ...relayed]) found.add(from).add(to)
    for (const { from, to } of txs) found.add(from).add(to ?? zeroAddress)
    for (const { eoa } of intents) found.add(eoa)
    for (const { address } of bridgeEvents) found.add(address)
    for (const { address } of cashEvents) if (address) found.add(address)
    for (const address of nativeTouched) found.add(address)
  }
  return [...found]
}

/** The rows of a block, and the holdings that it touched. */
export interface BlockRows {
  facts: Facts
  touched: readonly HoldingKey[]
}

/** Builds the rows of a block: those about watched addresses, and the events of the pools. */
export function buildRows(
  chainId: number,
  block: BlockFacts,
  watched: { has(address: string): boolean },
  pools: { entrypoint: string | null; contracts: Set<string> },
): BlockRows {
  const inBlock = {
    chainId,
    blockHash: block.hash,
    blockNumber: block.number,
    blockTime: new Date(block.timestamp * 1_000),
  }
  const relayed = block.relayed.filter(({ from, to }) => from === pools.entrypoint && watched.has(to))
  const transfers = [
    ...block.transfers.filter(({ from, to }) => watched.has(from) || watched.has(to)),
    // With traces, these payments come from the traces.
    ...(block.traces === 'none' ? relayed : []),
  ]
  const intents = block.intents.filter(({ eoa }) => watched.has(eoa))
  const involved = new Map<string, { address: string; txHash: string; txIndex: number }>()
  const involve = (address: string | null, txHash: string | null, txIndex: number | null) => {
    if (address === null || txHash === null || txIndex === null || !watched.has(address)) return
    involved.set(`${address} ${txHash}`, { address, txHash, txIndex })
  }
  for (const { from, to, txHash, txIndex } of [...transfers, ...block.txs]) {
    involve(from, txHash, txIndex)
    involve(to, txHash, txIndex)
  }
  for (const { eoa, txHash, txIndex } of intents) involve(eoa, txHash, txIndex)
  const ownTx = new Set([...involved.values()].map(({ txHash }) => txHash))
  const { blockNumber, blockTime } = inBlock

  return {
    facts: {
      hasRelayed: relayed.length > 0 || transfers.some(isTold),
      transfers: transfers.map((transfer) => ({ ...inBlock, ...transfer })),
      txs: block.txs
        .filter(({ txHash }) => ownTx.has(txHash))
        // Of calls by others only the selector is stored.
        .map((tx) => ({ ...inBlock, ...tx, input: watched.has(tx.from) ? tx.input : null })),
      addressTxs: [...involved.values()].map((row) => ({ chainId, blockNumber, blockTime, ...row })),
      poolEvents: ownEvents(block, pools).map((event) => ({ ...inBlock, ...event })),
      bridgeEvents: block.bridgeEvents
        .filter(({ address }) => watched.has(address))
        .map((event) => ({ ...inBlock, ...event })),
      cashEvents: block.cashEvents
        .filter(({ address }) => address === null || watched.has(address))
        .map((event) => ({ ...inBlock, ...event })),
      intents: intents.map((intent) => ({ ...inBlock, ...intent })),
    },
    touched: listTouched(block, transfers, watched),
  }
}

/** Merges the rows of several blocks; each holding once. */
export function mergeRows(rows: readonly BlockRows[]): BlockRows {
  const touched = new Map(rows.flatMap((one) => one.touched.map((key) => [nameOf(key), key] as const)))
  return {
    facts: {
      hasRelayed: rows.some(({ facts }) => facts.hasRelayed),
      transfers: rows.flatMap(({ facts }) => facts.transfers),
      txs: rows.flatMap(({ facts }) => facts.txs),
      addressTxs: rows.flatMap(({ facts }) => facts.addressTxs),
      poolEvents: rows.flatMap(({ facts }) => facts.poolEvents),
      bridgeEvents: rows.flatMap(({ facts }) => facts.bridgeEvents),
      cashEvents: rows.flatMap(({ facts }) => facts.cashEvents),
      intents: rows.flatMap(({ facts }) => facts.intents),
    },
    touched: [...touched.values()],
  }
}

/** True if there are no rows. */
export const isEmpty = ({ facts, touched }: BlockRows): boolean =>
  touched.length === 0 && Object.values(facts).every((rows) => !Array.isArray(rows) || rows.length === 0)

const nameOf = ({ address, standard, token, tokenId }: HoldingKey): string =>
  `${address} ${standard} ${token} ${tokenId}`

/** Selects the events that configured pools emitted; registers a pool from the log that announces it. */
function ownEvents(
  block: BlockFacts,
  { entrypoint, contracts }: { entrypoint: string | null; contracts: Set<string> },
) {
  return block.poolEvents.filter((event) => {
    if (isOfEntrypoint(event)) {
      if (event.contract !== entrypoint) return false
      if (event.kind === 'pool-registered' && event.pool) contracts.add(event.pool)
      return true
    }
    return contracts.has(event.contract)
  })
}

/** True for a transfer of the native coin that comes from a log: another node's traces may show it too. */
const isTold = ({ source, standard }: FoundTransfer) => source === 'log' && standard === 'native'

function listTouched(
  block: BlockFacts,
  transfers: readonly FoundTransfer[],
  watched: { has(address: string): boolean },
): HoldingKey[] {
  const touched = new Map<string, HoldingKey>()
  const touch = (key: HoldingKey) => {
    if (watched.has(key.address)) touched.set(nameOf(key), key)
  }
  const native = { standard: 'native', token: zeroAddress, tokenId: 0n } as const
  for (const { from, to, standard, token, tokenId } of transfers)
    for (const address of [from, to]) touch({ address, standard, token, tokenId: tokenId ?? 0n })
  for (const address of block.nativeTouched) touch({ address, ...native })
  // Caller and callee may gain or lose native coins in ways that a node without traces does not show.
  for (const { from, to } of block.txs) {
    touch({ address: from, ...native })
    if (to) touch({ address: to, ...native })
  }
  return [...touched.values()]
}
