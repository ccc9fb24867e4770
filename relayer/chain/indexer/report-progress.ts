import type { IndexedChainRow } from '../../../db/chain/indexer/indexed-chains.ts'
import { isSweepOwed, type ChainIndex } from './chain-index.ts'
import type { IndexProgress } from './indexer.ts'

/** Combines the progress of the configured chains from the database's state and the heads that this instance sees. */
export function reportProgress(
  indexes: readonly ChainIndex[],
  rows: readonly IndexedChainRow[],
  owner: string,
): IndexProgress[] {
  return indexes.map(({ chainId, chain, traces }) => {
    const row = rows.find((candidate) => candidate.chainId === chainId)
    const indexedBlock = row?.blockHash ? row.blockNumber : null
    const headBlock = chain.head()?.number ?? null
    // Another instance may have seen a newer head.
    const behind =
      indexedBlock === null || headBlock === null ? null : Math.max(0, Number(headBlock - indexedBlock))
    return {
      chainId,
      indexedBlock,
      indexedHash: row?.blockHash ?? null,
      headBlock,
      behind,
      state: row?.state ?? 'waiting',
      problem: row?.problem ?? null,
      watchedAddresses: row?.watched ?? 0,
      backfilling: row?.backfilling ?? 0,
      staleHoldings: row?.stale ?? 0,
      problemHoldings: row?.problemHoldings ?? 0,
      rowsSetAside: row?.rowsSetAside ?? 0,
      blocksLeftOut: row?.blocksLeftOut ?? 0,
      blocksGivenUp: row?.blocksGivenUp ?? 0,
      isComparing: row ? isSweepOwed(row) : false,
      reorgs: row?.reorgs ?? 0,
      deepestReorg: row?.deepestReorg ?? 0,
      resyncs: row?.resyncs ?? 0,
      isWorker: row?.leaseOwner === owner,
      traces,
    }
  })
}
