import { mkdtemp, rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { createAddressFilter, type AddressFilter } from '../../relayer/chain/indexer/address-filter.ts'
import { findTransfers } from '../../relayer/chain/indexer/find-transfers.ts'
import type { RawLog } from '../../relayer/chain/indexer/raw-block.ts'
import { measureInterleaved } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import type { Settings } from '../settings.ts'
import { measureBlocks } from './measure-blocks.ts'

const WATCHED = 1_000_000
const LOGS = 2_000
/** One in this many logs concerns a watched address. */
const HIT_EVERY = 20
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const randomHex = (bytes: number): Hex => `0x${randomBytes(bytes).toString('hex')}`
const topicOf = (address: string): Hex => `0x${'0'.repeat(24)}${address.slice(2)}`

function fillFilter(): { filter: AddressFilter; some: string[] } {
  const filter = createAddressFilter()
  const some: string[] = []
  for (let count = 0; count < WATCHED; count += 1) {
    const address = randomHex(20)
    filter.add(address)
    if (count % 1_000 === 0) some.push(address)
  }
  return { filter, some }
}

function makeLogs(some: readonly string[]): RawLog[] {
  const blockHash = randomHex(32)
  return Array.from({ length: LOGS }, (_, index) => {
    const to = index % HIT_EVERY === 0 ? (some[index % some.length] ?? randomHex(20)) : randomHex(20)
    return {
      address: randomHex(20),
      topics: [TRANSFER, topicOf(randomHex(20)), topicOf(to)],
      data: randomHex(32),
      blockHash,
      blockNumber: '0x1',
      transactionHash: randomHex(32),
      transactionIndex: '0x0',
      logIndex: `0x${index.toString(16)}`,
    }
  })
}

/**
 * Finds watched addresses in a block's logs, against a plain Set of texts. Also indexes whole blocks, from node to database.
 */
export async function benchIndexer(settings: Settings): Promise<UnratedRow[]> {
  settings.tell(`a filter of ${WATCHED} addresses`)
  const { filter, some } = fillFilter()
  settings.tell(`the filter takes ${(filter.shared.byteLength / 2 ** 20).toFixed(1)} MiB`)
  const logs = makeLogs(some)
  const expected = LOGS / HIT_EVERY
  const match = () => {
    const found = findTransfers(logs, filter, null).length
    if (found !== expected) throw new Error(`found ${found} transfers instead of ${expected}`)
  }
  const name = 'indexer.match2000'
  const rows = await measureInterleaved([{ name, baseline: null, run: match }], settings)
  const folder = await mkdtemp(join(tmpdir(), 'bench-indexer-'))
  try {
    return [...rows, ...(await measureBlocks(folder, settings))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
