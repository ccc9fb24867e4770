import { getAddress, zeroAddress, type Address, type Hash, type Hex } from 'viem'
import type { AddressTest } from './address-filter.ts'
import type { FoundTransfer } from './block-facts.ts'
import type { RawCallFrame, RawFlatTrace } from './raw-block.ts'

/** A call that moved native coins for good. `item` counts the calls of the transaction, itself being 0. */
export interface NativeMove {
  txIndex: number
  item: number
  from: Address
  to: Address
  value: bigint
}

/** Those of a transaction's calls that carry value on and were not undone. */
const CARRIES_VALUE = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])
const isSome = (value: Hex | undefined): value is Hex => value !== undefined && !/^0x0*$/.test(value)

/** The moves in the trees that callTracer gives, one tree per transaction. */
export function movesOfFrames(frames: readonly RawCallFrame[]): NativeMove[] {
  const moves: NativeMove[] = []
  for (const [txIndex, root] of frames.entries()) {
    let item = 0
    // A list rather than recursion: calls nest up to 1,024 deep.
    const waiting: { frame: RawCallFrame; undone: boolean }[] = [{ frame: root, undone: false }]
    for (let next = waiting.pop(); next; next = waiting.pop(), item += 1) {
      const { frame } = next
      const undone = next.undone || frame.error !== undefined
      if (!undone && frame.to && CARRIES_VALUE.has(frame.type) && isSome(frame.value))
        moves.push({ txIndex, item, from: frame.from, to: frame.to, value: BigInt(frame.value) })
      for (const call of (frame.calls ?? []).toReversed()) waiting.push({ frame: call, undone })
    }
  }
  return moves
}

/** The moves in a flat list as of Parity's trace_block, where a call comes before those that it made. */
export function movesOfFlat(traces: readonly RawFlatTrace[]): NativeMove[] {
  const moves: NativeMove[] = []
  const counts = new Map<number, number>()
  const failed = new Map<number, string[]>()
  for (const { type, action, result, error, traceAddress, transactionPosition } of traces) {
    // Rewards belong to no transaction.
    if (transactionPosition === undefined || transactionPosition === null) continue
    const txIndex = transactionPosition
    const item = counts.get(txIndex) ?? 0
    counts.set(txIndex, item + 1)
    const place = `${traceAddress.join('.')}.`
    const above = failed.get(txIndex) ?? []
    if (error !== undefined) failed.set(txIndex, [...above, traceAddress.length === 0 ? '' : place])
    if (error !== undefined || above.some((prefix) => place.startsWith(prefix))) continue
    const move =
      type === 'suicide' || type === 'selfdestruct'
        ? { from: action.address, to: action.refundAddress, value: action.balance }
        : { from: action.from, to: type === 'create' ? result?.address : action.to, value: action.value }
    const carries = type !== 'call' || action.callType === 'call'
    if (carries && move.from && move.to && isSome(move.value))
      moves.push({ txIndex, item, from: move.from, to: move.to, value: BigInt(move.value) })
  }
  return moves
}

/** Those of the moves from or to addresses that the filter lets through; `see` is told of all. */
export function findNative(
  moves: readonly NativeMove[],
  txHashes: readonly Hash[],
  filter: AddressTest,
  see: (hex: string) => void,
): FoundTransfer[] {
  return moves.flatMap(({ txIndex, item, from, to, value }) => {
    see(from)
    see(to)
    const txHash = txHashes[txIndex]
    if (!txHash || !(filter.has(from) || filter.has(to))) return []
    return {
      source: 'call',
      position: txIndex,
      item,
      txHash,
      txIndex,
      standard: 'native',
      token: zeroAddress,
      tokenId: null,
      from: getAddress(from),
      to: getAddress(to),
      amount: value,
    }
  })
}
