import { formatUnits, getAddress, isAddressEqual, maxUint160, zeroAddress, type Address } from 'viem'
import type { ApprovalChange, AssetChange } from '../../../proving/simulate-job.ts'
import { cutChanges } from '../../../proving/simulation/assets/cut-changes.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { readMetadata } from '../../market/tokens/read-metadata.ts'
import { sanitizeText } from '../../market/tokens/sanitize-text.ts'
import type { PublicTokens } from '../../market/tokens/tokens.ts'
import { tokenIdOf } from '../../market/tokens/token-id.ts'
import type { SimulatedChange } from './simulation.ts'

const MAX_KNOWN = 64
const MAX_READ = 20
const READ_MS = 1_500
const UNLIMITED = 1n << 255n

/** The asset changes and approvals of one call. */
export interface CallChanges {
  changes: readonly AssetChange[]
  approvals: readonly ApprovalChange[]
}

/** A token's metadata, with the spam judgement. */
interface ShownToken {
  symbol: string | null
  decimals: number | null
  name: string | null
  isSpam: boolean
}

/** The described changes; `spam` lists the tokens among them that are likely spam. */
export interface DescribedChanges {
  changes: readonly SimulatedChange[]
  spam: readonly Address[]
}

/**
 * Adds token metadata to changes: from the public lookup, else from the contracts. Only the chain's node is asked,
 * and nothing is stored: a simulation adds no token to the catalogue.
 *
 * @param most Maximum of described changes, the first ones: a call can make thousands, and each takes time of the
 * main thread.
 */
export async function describeChanges(
  tokens: PublicTokens,
  chain: Chain,
  told: readonly CallChanges[],
  most: number,
): Promise<DescribedChanges> {
  const ofCalls = cutChanges(told, most)
  const contracts = new Set(
    ofCalls.flatMap(({ changes, approvals }) => [
      ...changes.map(({ token }) => getAddress(token ?? zeroAddress)),
      ...approvals.map(({ token }) => getAddress(token)),
    ]),
  )
  const known = await nameTokens(tokens, chain, [...contracts].slice(0, MAX_KNOWN))
  const show = (contract: string | null) => {
    const address = getAddress(contract ?? zeroAddress)
    const { symbol = null, decimals = null, name = null } = known.get(address) ?? {}
    return { address, symbol, decimals, name }
  }
  const changes = ofCalls.flatMap((call, callIndex) => [
    ...call.changes.map((change) => describeMove(change, callIndex, show(change.token))),
    ...call.approvals.map((approval) => describeApproval(approval, callIndex, show(approval.token))),
  ])
  return { changes, spam: [...known].flatMap(([address, { isSpam }]) => (isSpam ? [address] : [])) }
}

async function nameTokens(
  tokens: PublicTokens,
  chain: Chain,
  contracts: readonly Address[],
): Promise<ReadonlyMap<Address, ShownToken>> {
  const { chainId } = chain.config
  const found = await Promise.all(contracts.map((address) => tokens.findPublic(tokenIdOf(chainId, address))))
  const known = new Map<Address, ShownToken>()
  for (const [index, address] of contracts.entries()) {
    const token = found[index]
    if (token)
      known.set(address, {
        symbol: token.symbol,
        decimals: token.decimals,
        name: token.name,
        isSpam: token.spam,
      })
  }
  const unknown = contracts
    .filter((address) => !known.has(address) && !isAddressEqual(address, zeroAddress))
    .slice(0, MAX_READ)
  if (unknown.length === 0) return known
  // A missing name must not fail the answer.
  const read = await readMetadata(chain, unknown, READ_MS).catch(() => [])
  for (const [index, address] of unknown.entries()) {
    const told = read[index]
    if (told)
      known.set(address, {
        symbol: sanitizeText(told.symbol, 32).text || null,
        name: sanitizeText(told.name, 64).text || null,
        decimals: told.decimals,
        isSpam: false,
      })
  }
  return known
}

type Shown = SimulatedChange['token']

const amountOf = (raw: bigint, { decimals }: Shown) => (decimals === null ? null : formatUnits(raw, decimals))

function describeMove(change: AssetChange, callIndex: number, token: Shown): SimulatedChange {
  const [from, to] = [getAddress(change.from), getAddress(change.to)]
  const isCoin = change.type === 'native'
  const type = !isCoin && from === zeroAddress ? 'mint' : !isCoin && to === zeroAddress ? 'burn' : 'transfer'
  const isFungible = isCoin || change.type === 'erc20'
  return {
    callIndex,
    type,
    standard: change.type,
    token: isFungible ? token : { ...token, decimals: null },
    from,
    to,
    amount: isFungible ? amountOf(change.amount, token) : null,
    rawAmount: change.amount,
    tokenId: change.tokenId,
    unlimited: false,
  }
}

function describeApproval(approval: ApprovalChange, callIndex: number, token: Shown): SimulatedChange {
  const isFungible = approval.standard === 'erc20'
  const most = approval.via === null ? UNLIMITED : maxUint160
  return {
    callIndex,
    type: approval.type,
    standard: approval.standard,
    token: isFungible ? token : { ...token, decimals: null },
    from: getAddress(approval.owner),
    to: getAddress(approval.spender),
    amount: isFungible ? amountOf(approval.amount, token) : null,
    rawAmount: approval.amount,
    tokenId: approval.tokenId,
    unlimited: isFungible && approval.amount >= most,
  }
}
