import { getAddress, zeroAddress, type Address, type Hash, type Hex } from 'viem'
import type { AddressTest } from './address-filter.ts'
import type { FoundTransfer } from './block-facts.ts'
import type { RawCallFrame, RawFlatTrace } from './raw-block.ts'

/**
 * A call that moved native coins and was not undone. `item` is 0 for the transaction itself and counts inner calls from 1.
 * Calls that moved nothing are not counted: nodes differ in reporting them, and the same move must not be written twice.
 */
export interface NativeMove {
  txIndex: number
  item: number
  from: Address
  to: Address
  value: bigint
  /** The account that the Orchestrator called, in whose intent the move happened; absent outside of intents. */
  intentOf?: Address
}

/** Types of calls that may move value. */
const CARRIES_VALUE = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])
const isSet = (error: string | null | undefined) => error !== undefined && error !== null
const isSome = (value: Hex | undefined): value is Hex => value !== undefined && !/^0x0*$/.test(value)

/** Collects moves of one transaction after the other, in the order in which they were made. */
function createMoveList() {
  const moves: NativeMove[] = []
  const add = (isRoot: boolean, isParting: boolean, move: Omit<NativeMove, 'item'>) => {
    const last = moves.at(-1)
    const before = last?.txIndex === move.txIndex ? last : undefined
    // revm repeats the previous move for a contract that leaves its coins to itself.
    if (isParting && before && isSameMove(before, move)) return
    moves.push({ ...move, item: isRoot ? 0 : (before?.item ?? 0) + 1 })
  }
  return { moves, add }
}

const isSameMove = (one: Omit<NativeMove, 'item'>, other: Omit<NativeMove, 'item'>) =>
  one.from === other.from && one.to === other.to && one.value === other.value

/**
 * Returns the moves in the trees of callTracer, one tree per transaction; null for one without.
 *
 * @param orchestrator Only it can call an account in its own name, so everything within such a call is the account's intent.
 */
export function movesOfFrames(
  frames: readonly (RawCallFrame | null)[],
  orchestrator: Address | null = null,
): NativeMove[] {
  const { moves, add } = createMoveList()
  for (const [txIndex, root] of frames.entries()) {
    if (!root) continue
    // A list rather than recursion: calls nest up to 1,024 deep.
    const waiting: { frame: RawCallFrame; outer?: Address | undefined }[] = [{ frame: root }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { frame, outer } = next
      // The call failed, so everything below it was undone.
      if (isSet(frame.error)) continue
      const { type, from, to, value } = frame
      const intentOf = type === 'CALL' ? (accountCalled(frame, orchestrator) ?? outer) : outer
      if (to && CARRIES_VALUE.has(type) && isSome(value))
        add(frame === root, type === 'SELFDESTRUCT', {
          txIndex,
          from,
          to,
          value: BigInt(value),
          ...(intentOf && { intentOf }),
        })
      for (const call of (frame.calls ?? []).toReversed()) waiting.push({ frame: call, outer: intentOf })
    }
  }
  return moves
}

/** Returns the address that the Orchestrator calls; it calls itself for each intent. */
function accountCalled(
  { from, to }: { from?: Address | undefined; to?: Address | undefined },
  orchestrator: Address | null,
): Address | undefined {
  const caller = orchestrator?.toLowerCase()
  return caller && from?.toLowerCase() === caller && to?.toLowerCase() !== caller ? to : undefined
}

/**
 * Returns the moves in a flat list as of Parity's trace_block, where a call comes before its inner calls, which follow it.
 */
export function movesOfFlat(
  traces: readonly RawFlatTrace[],
  orchestrator: Address | null = null,
): NativeMove[] {
  const { moves, add } = createMoveList()
  // The last failed call: its inner calls, which come next, were undone.
  let failed = { txIndex: -1, place: [] as readonly number[] }
  // The last call of the Orchestrator to an account, with all inner calls.
  let intent: { txIndex: number; place: readonly number[]; eoa: Address } | null = null
  for (const { type, action, result, error, traceAddress, transactionPosition } of traces) {
    // Rewards belong to no transaction.
    if (transactionPosition === undefined || transactionPosition === null) continue
    const txIndex = transactionPosition
    if (failed.txIndex === txIndex && failed.place.every((at, depth) => traceAddress[depth] === at)) continue
    if (isSet(error)) {
      failed = { txIndex, place: traceAddress }
      continue
    }
    const called =
      type === 'call' && action.callType === 'call' ? accountCalled(action, orchestrator) : undefined
    if (called) intent = { txIndex, place: traceAddress, eoa: called }
    const intentOf =
      intent?.txIndex === txIndex && intent.place.every((at, depth) => traceAddress[depth] === at)
        ? intent.eoa
        : undefined
    const isParting = type === 'suicide' || type === 'selfdestruct'
    const { from, to, value } = isParting
      ? { from: action.address, to: action.refundAddress, value: action.balance }
      : { from: action.from, to: type === 'create' ? result?.address : action.to, value: action.value }
    const carries = type !== 'call' || action.callType === 'call'
    if (carries && from && to && isSome(value))
      add(traceAddress.length === 0, isParting, {
        txIndex,
        from,
        to,
        value: BigInt(value),
        ...(intentOf && { intentOf }),
      })
  }
  return moves
}

/** Finds the moves from or to addresses in the filter; calls `see` with every address. */
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
