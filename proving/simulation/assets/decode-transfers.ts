import { decodeAbiParameters } from 'viem'
import type { AssetChange } from '../../simulate-job.ts'
import type { Hex, SimulatedLog } from '../provider.ts'

/** First topics: keccak-256 of the events' signatures. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef' // (address,address,uint256)
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const DEPOSIT = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c' // WETH9: (address,uint256)
const WITHDRAWAL = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

/** The sender of a mint and the recipient of a burn. */
export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`
/** Entries of a batch that are read; a longer batch is reported in part. */
const MAX_BATCH = 512

/** Digits of a word with 0x before them. */
const WORD_LENGTH = 66
const transferWords = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const
const singleWords = [{ type: 'uint256' }, { type: 'uint256' }] as const
const batchWords = [{ type: 'uint256[]' }, { type: 'uint256[]' }] as const

function toAddress(topic: Hex | undefined): Hex {
  if (topic === undefined) throw new RangeError('a topic is missing')
  return `0x${topic.slice(26).toLowerCase()}`
}

/** Throws when a log has a transfer's topic and another form. */
function decodeLog({ address, topics, data }: SimulatedLog): AssetChange[] {
  const [event, first, second, third] = topics
  const token = address.toLowerCase() as Hex
  const move = (
    type: AssetChange['type'],
    from: Hex,
    to: Hex,
    amount: bigint,
    tokenId: bigint | null = null,
  ) => [{ type, token, from, to, tokenId, amount }]
  const readAmount = () => {
    if (data.length < WORD_LENGTH) throw new RangeError('an amount is missing')
    return BigInt(data.slice(0, WORD_LENGTH))
  }

  if (event === TRANSFER && topics.length === 3) {
    return move('erc20', toAddress(first), toAddress(second), readAmount())
  }
  if (event === TRANSFER && topics.length === 4) {
    return move('erc721', toAddress(first), toAddress(second), 1n, BigInt(third ?? 0))
  }
  if (event === TRANSFER) {
    // tokens older than the standard index no argument
    const [from, to, amount] = decodeAbiParameters(transferWords, data)
    return move('erc20', from.toLowerCase() as Hex, to.toLowerCase() as Hex, amount)
  }
  if (event === TRANSFER_SINGLE) {
    const [tokenId, amount] = decodeAbiParameters(singleWords, data)
    return move('erc1155', toAddress(second), toAddress(third), amount, tokenId)
  }
  if (event === TRANSFER_BATCH) {
    const [ids, amounts] = decodeAbiParameters(batchWords, data)
    if (ids.length !== amounts.length) throw new RangeError('not a batch of transfers')
    return ids
      .slice(0, MAX_BATCH + 1)
      .flatMap((id, index) => move('erc1155', toAddress(second), toAddress(third), amounts[index] ?? 0n, id))
  }
  if (event === DEPOSIT && topics.length === 2)
    return move('erc20', ZERO_ADDRESS, toAddress(first), readAmount())
  if (event === WITHDRAWAL && topics.length === 2) {
    return move('erc20', toAddress(first), ZERO_ADDRESS, readAmount())
  }
  return []
}

const isWrapping = ({ topics: [event] }: SimulatedLog) => event === DEPOSIT || event === WITHDRAWAL

/**
 * Finds duplicates: some wrappers log a deposit as a transfer from the zero address too. The transfers are indexed once,
 * because a contract chooses how many logs there are, and comparing all pairs would take seconds.
 */
function findToldTwice(logs: readonly SimulatedLog[]): (change: AssetChange, log: SimulatedLog) => boolean {
  if (!logs.some(isWrapping)) return () => false
  const keyOf = ({ address, data }: SimulatedLog, from: Hex, to: Hex) => `${address} ${from} ${to} ${data}`
  const transfers = new Set(
    logs
      .filter(({ topics }) => topics[0] === TRANSFER && topics.length === 3)
      .map((log) => keyOf(log, toAddress(log.topics[1]), toAddress(log.topics[2]))),
  )
  return ({ from, to }, log) => isWrapping(log) && transfers.has(keyOf(log, from, to))
}

/**
 * Decodes the token transfers in logs, in their order; `undecodable` when a log has a transfer's topic and cannot be
 * read.
 */
export function decodeTransfers(logs: readonly SimulatedLog[]): {
  changes: AssetChange[]
  undecodable: boolean
} {
  const changes: AssetChange[] = []
  let undecodable = false
  const isToldTwice = findToldTwice(logs)
  for (const log of logs) {
    try {
      const told = decodeLog(log)
      if (told.length > MAX_BATCH) undecodable = true
      changes.push(...told.slice(0, MAX_BATCH).filter((change) => !isToldTwice(change, log)))
    } catch {
      undecodable = true
    }
  }
  return { changes, undecodable }
}
