import { isAddressEqual, size, zeroAddress, type Address } from 'viem'
import type { Client } from 'stealth-relay/client'
import { showCall, type ShownCall } from 'stealth-relay/client/clear-signing'
import {
  decodeCalldata,
  type AppRequest,
  type CallsPrice,
  type PossibleCall,
} from 'stealth-relay/client/provider'
import { formatToken } from '../parts/format.ts'
import { TEXTS } from '../texts.ts'
import { namesOf } from './names-of.ts'

export type CallsRequest = Extract<AppRequest, { kind: 'calls' }>
type Call = CallsRequest['calls'][number]

/** A call as far as it can be explained. */
export interface ReadCall {
  call: Call
  /** Its purpose by a checked descriptor; null for a call without one. */
  shown: ShownCall | null
  /** Functions that an undescribed call may be of. Names prove nothing. */
  possible: readonly PossibleCall[]
}
/** Gain, loss or allowance of the app's address. */
export interface Change {
  kind: 'in' | 'out' | 'leave'
  text: string
  /** The address that may take it; only of `leave`. */
  spender: Address | null
}
/** Everything that a person decides on. */
export interface ReadCalls {
  price: CallsPrice
  calls: readonly ReadCall[]
  changes: readonly Change[]
  /** Nothing else changes, as far as a simulation can know. */
  isComplete: boolean
  warnings: readonly string[]
}

/**
 * Prices, explains and simulates calls.
 * @throws ServiceRefusal; Error where a check fails.
 */
export async function readCalls(client: Client, request: CallsRequest): Promise<ReadCalls> {
  const { chainId, from, calls } = request
  // First: it refuses calls that would fail.
  const price = await request.price()
  const [simulation, ...read] = await Promise.all([
    client.call('simulate', {
      body: {
        chainId,
        from,
        calls: calls.map(({ to, value, data }) => ({ to, value: String(value), data })),
      },
    }),
    ...calls.map((call) => readCall(client, request, call)),
  ])
  const isOwn = (address: Address) => isAddressEqual(address, from)
  return {
    price,
    calls: read,
    changes: simulation.assetChanges.flatMap((change) => describeChange(change, isOwn)),
    isComplete: simulation.success && simulation.assetChangesComplete,
    warnings: [...new Set(simulation.warnings.map(({ code }) => code))].flatMap(
      (code) => TEXTS.apps.warnings[code] ?? [],
    ),
  }
}

async function readCall(client: Client, { chainId, from }: CallsRequest, call: Call): Promise<ReadCall> {
  if (size(call.data) < 4) return { call, shown: null, possible: [] }
  // An answer that fails its check explains nothing.
  const shown = await showCall(location.origin, { chainId, from, ...call }, namesOf(client)).catch(() => null)
  const possible = shown ? [] : await decodeCalldata(client, call.data).catch(() => [])
  return { call, shown, possible }
}

interface AssetChange {
  type: 'transfer' | 'mint' | 'burn' | 'approval' | 'approval_for_all'
  token: { address: Address; symbol: string | null; decimals: number | null; name: string | null }
  from: Address
  to: Address
  rawAmount: string
  tokenId: string | null
  unlimited: boolean
}

function describeChange(change: AssetChange, isOwn: (address: Address) => boolean): Change[] {
  const { type, from, to, rawAmount } = change
  const { apps } = TEXTS
  const text = nameAsset(change)
  if (type === 'approval' || type === 'approval_for_all') {
    if (!isOwn(from)) return []
    const isEnd = rawAmount === '0'
    return [{ kind: 'leave', text: isEnd ? apps.noLeave(text) : apps.leave(text), spender: to }]
  }
  if (isOwn(from) === isOwn(to)) return []
  return [
    isOwn(from)
      ? { kind: 'out', text: `−${text}`, spender: null }
      : { kind: 'in', text: `+${text}`, spender: null },
  ]
}

function nameAsset({ type, token, rawAmount, tokenId, unlimited }: AssetChange): string {
  const { apps } = TEXTS
  const symbol = token.symbol ?? (isAddressEqual(token.address, zeroAddress) ? 'ETH' : token.address)
  if (type === 'approval_for_all') return apps.everyOf(token.name ?? symbol)
  if (tokenId !== null) return `${token.name ?? symbol} #${tokenId}`
  if (unlimited) return apps.everyOf(symbol)
  return token.decimals === null
    ? apps.unitsOf(rawAmount, symbol)
    : formatToken(rawAmount, { symbol, decimals: token.decimals }, { whole: true })
}
