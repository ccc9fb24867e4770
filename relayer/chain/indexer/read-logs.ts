import { type Hex, hexToBytes } from 'viem'
import { WrongAnswerError, type AskOne } from './ask-nodes.ts'
import type { RawBlock, RawLog, RawReceipt } from './raw-block.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** The logs of a block. */
export interface ReadLogs {
  logs: readonly RawLog[]
  /** True if they are complete, as far as the header shows. */
  isWhole: boolean
}

const isEmptyBloom = (bloom: Hex) => /^0x0*$/.test(bloom)
const toNumber = (quantity: Hex) => Number(quantity)

/**
 * Reads the logs of a block, by `eth_getLogs`, else from its receipts. With `isChecked` the header and the log numbers must
 * prove that they are complete; with `mayLack` an incomplete answer suffices.
 *
 * @throws WrongAnswerError when logs are missing or of another block.
 */
export async function readBlockLogs(
  ask: AskOne,
  block: RawBlock,
  { isChecked, mayLack }: { isChecked: boolean; mayLack: boolean },
): Promise<ReadLogs> {
  if (block.transactions.length === 0 && isEmptyBloom(block.logsBloom)) return { logs: [], isWhole: true }
  let failure: unknown
  let best: readonly RawLog[] = []
  for (const fetch of [fetchLogs, fetchReceiptLogs])
    try {
      const logs = await fetch(ask, block)
      const problem = isChecked ? await findGap(block, logs) : null
      if (problem === null) return { logs, isWhole: true }
      if (logs.length > best.length) best = logs
      failure ??= new WrongAnswerError(problem)
    } catch (error) {
      failure ??= error
    }
  if (!mayLack) throw failure
  return { logs: best, isWhole: false }
}

async function fetchLogs(ask: AskOne, block: RawBlock): Promise<readonly RawLog[]> {
  const [answer] = await ask([{ method: 'eth_getLogs', params: [{ blockHash: block.hash }] }])
  if (!Array.isArray(answer)) throw new WrongAnswerError('the node gave no logs')
  return arrange(block, answer as RawLog[])
}

async function fetchReceiptLogs(ask: AskOne, block: RawBlock): Promise<readonly RawLog[]> {
  const [answer] = await ask([{ method: 'eth_getBlockReceipts', params: [block.hash] }])
  if (!Array.isArray(answer)) throw new WrongAnswerError('the node gave no receipts')
  return arrange(
    block,
    (answer as RawReceipt[]).flatMap(({ logs }) => logs),
  )
}

function arrange(block: RawBlock, found: readonly RawLog[]): readonly RawLog[] {
  if (found.some(({ blockHash }) => blockHash !== block.hash))
    throw new WrongAnswerError('the logs are of another block')
  return found.toSorted((a, b) => toNumber(a.logIndex) - toNumber(b.logIndex))
}

/** Describes how the header shows that logs are missing; null if it does not. */
async function findGap({ logsBloom }: RawBlock, logs: readonly RawLog[]): Promise<string | null> {
  if (logs.some(({ logIndex }, index) => toNumber(logIndex) !== index)) return 'logs of the block are missing'
  const fills = await logsFillBloom(logsBloom, logs)
  return fills ? null : 'logs that the bloom of the block tells of are missing'
}

const BLOOM_BYTES = 256
const LOGS_PER_TURN = 100
/** Contracts and kinds of event repeat. */
const MAX_REMEMBERED = 20_000
const remembered = new Map<Hex, readonly number[]>()

/** The three bits of a bloom that a value sets (Yellow Paper 4.3.1), as places in its 2048 bits. */
function bitsOf(value: Hex): readonly number[] {
  const known = remembered.get(value)
  if (known) return known
  const hash = keccak_256(hexToBytes(value))
  const bits = [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2_047)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(value, bits)
  return bits
}

/**
 * True if the logs explain every bit of a block's bloom: otherwise some are missing. Logs that some chains add without a
 * trace in the bloom do no harm. Yields to other work at intervals.
 */
export async function logsFillBloom(bloom: Hex, logs: readonly RawLog[]): Promise<boolean> {
  const left = hexToBytes(bloom)
  if (left.length !== BLOOM_BYTES) return false
  const clear = (value: Hex) => {
    for (const bit of bitsOf(value)) {
      const at = BLOOM_BYTES - 1 - (bit >> 3)
      left[at] = (left[at] ?? 0) & ~(1 << (bit & 7))
    }
  }
  for (const [index, { address, topics }] of logs.entries()) {
    if (index % LOGS_PER_TURN === LOGS_PER_TURN - 1) await nextTurn()
    clear(address)
    for (const topic of topics) clear(topic)
  }
  return left.every((byte) => byte === 0)
}
