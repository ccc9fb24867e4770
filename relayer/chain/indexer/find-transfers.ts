import { decodeAbiParameters, getAddress, zeroAddress, type Address, type Hex } from 'viem'
import type { AddressTest } from './address-filter.ts'
import type { FoundTransfer } from './block-facts.ts'
import { WITHDRAWAL_RELAYED } from './find-relayed.ts'
import type { RawLog } from './raw-block.ts'

/** Transfer(address indexed from, address indexed to, uint256 value) of ERC-20. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
/** Of a wrapped native coin in the form of WETH9, which mints and burns without a Transfer. */
const DEPOSIT = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const WITHDRAWAL = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

/** Topics by which a node finds the logs that name an address, by the place of the address among the topics. */
export const TRANSFER_TOPICS: readonly (readonly Hex[])[] = [
  [TRANSFER, DEPOSIT, WITHDRAWAL],
  [TRANSFER, TRANSFER_SINGLE, TRANSFER_BATCH, WITHDRAWAL_RELAYED],
  [TRANSFER_SINGLE, TRANSFER_BATCH],
]

/** An ERC-1155 batch with more ids is dishonest: a block has no room for it. */
const MAX_BATCH = 5_000

type Seen = (hex: string) => boolean
const addressOfTopic = (topic: Hex): Address => getAddress(`0x${topic.slice(-40)}`)
const wordAt = (data: Hex, index: number): bigint =>
  BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`)

/** Finds the token transfers in a block's logs from or to addresses in the filter; calls `see` with every address. */
export function findTransfers(
  logs: readonly RawLog[],
  filter: AddressTest,
  wrappedNative: string | null,
  see: (hex: string) => void = () => {},
): FoundTransfer[] {
  const found: FoundTransfer[] = []
  const seen: Seen = (hex) => {
    see(hex)
    return filter.has(hex)
  }
  for (const [index, log] of logs.entries()) {
    const [kind, ...topics] = log.topics
    if (kind === TRANSFER) readTransfer(log, topics, seen, found)
    else if (kind === TRANSFER_SINGLE || kind === TRANSFER_BATCH) readMulti(log, topics, seen, found)
    else if (kind === DEPOSIT || kind === WITHDRAWAL)
      if (log.address.toLowerCase() === wrappedNative) readWrapping(log, logs[index - 1], topics, seen, found)
  }
  return found
}

function entry(
  log: RawLog,
  moved: Pick<FoundTransfer, 'standard' | 'tokenId' | 'from' | 'to' | 'amount'>,
): FoundTransfer {
  return {
    source: 'log',
    position: Number(log.logIndex),
    item: 0,
    txHash: log.transactionHash,
    txIndex: Number(log.transactionIndex),
    token: getAddress(log.address),
    ...moved,
  }
}

function readTransfer(log: RawLog, [from, to, id]: readonly Hex[], seen: Seen, found: FoundTransfer[]): void {
  if (!from || !to) return
  const concerns = [seen(from), seen(to)]
  if (!concerns.includes(true)) return
  const ends = { from: addressOfTopic(from), to: addressOfTopic(to) }
  if (id) found.push(entry(log, { standard: 'erc721', tokenId: BigInt(id), ...ends, amount: 1n }))
  else if (log.data.length >= 66)
    found.push(entry(log, { standard: 'erc20', tokenId: null, ...ends, amount: wordAt(log.data, 0) }))
}

function readMulti(log: RawLog, [, from, to]: readonly Hex[], seen: Seen, found: FoundTransfer[]): void {
  if (!from || !to) return
  const concerns = [seen(from), seen(to)]
  if (!concerns.includes(true)) return
  const ends = { from: addressOfTopic(from), to: addressOfTopic(to) }
  const { ids, amounts } = log.topics[0] === TRANSFER_SINGLE ? readSingle(log.data) : readBatch(log.data)
  if (ids.length !== amounts.length || ids.length > MAX_BATCH) return
  for (const [item, tokenId] of ids.entries()) {
    const amount = amounts[item] ?? 0n
    found.push({ ...entry(log, { standard: 'erc1155', tokenId, ...ends, amount }), item })
  }
}

function readSingle(data: Hex): { ids: readonly bigint[]; amounts: readonly bigint[] } {
  if (data.length < 130) return { ids: [], amounts: [] }
  return { ids: [wordAt(data, 0)], amounts: [wordAt(data, 1)] }
}

function readBatch(data: Hex): { ids: readonly bigint[]; amounts: readonly bigint[] } {
  try {
    const [ids, amounts] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)
    return { ids, amounts }
  } catch {
    // Any contract may emit anything under this name.
    return { ids: [], amounts: [] }
  }
}

function readWrapping(
  log: RawLog,
  previous: RawLog | undefined,
  [holder]: readonly Hex[],
  seen: Seen,
  found: FoundTransfer[],
): void {
  if (!holder || log.data.length < 66 || !seen(holder)) return
  // Some contracts also log a Transfer for a mint, right before.
  const told =
    previous?.topics[0] === TRANSFER &&
    previous.address === log.address &&
    previous.transactionHash === log.transactionHash &&
    previous.data === log.data &&
    previous.topics.includes(holder)
  if (told) return
  const owner = addressOfTopic(holder)
  const ends = log.topics[0] === DEPOSIT ? { from: zeroAddress, to: owner } : { from: owner, to: zeroAddress }
  found.push(entry(log, { standard: 'erc20', tokenId: null, ...ends, amount: wordAt(log.data, 0) }))
}
