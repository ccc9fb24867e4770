import { encodeFunctionData, parseAbi } from 'viem'
import type { AssetChange } from '../../simulate-job.ts'
import type { Hex } from '../provider.ts'
import { ZERO_ADDRESS } from './decode-transfers.ts'

const MAX_PROBES = 64

const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function balanceOf(address, uint256) view returns (uint256)',
  'function ownerOf(uint256) view returns (address)',
])

/** Asks a contract for one word, before or after the simulated call; null where it gives none. */
export type ProbeWord = (moment: 'before' | 'after', contract: Hex, data: Hex) => Promise<bigint | null>

interface Claim {
  token: Hex
  /** The question whose answer should have changed by `difference`. */
  question: Hex
  difference: bigint
}

/** Encodes the question for an owner's balance, of one token of a collection where there is an id. */
export function askBalance(owner: Hex, tokenId: bigint | null): Hex {
  if (tokenId === null) return encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
  return encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner, tokenId] })
}

/**
 * Collects the balance changes that the movements imply, and that nothing moved for the `bystanders` in `written` contracts.
 */
function collectClaims(
  changes: readonly AssetChange[],
  written: readonly Hex[],
  bystanders: readonly Hex[],
): Claim[] {
  const claims = new Map<string, Claim>()
  const claim = (token: Hex, owner: Hex, tokenId: bigint | null, amount: bigint) => {
    if (owner === ZERO_ADDRESS) return
    const question = askBalance(owner, tokenId)
    const key = `${token} ${question}`
    const difference = (claims.get(key)?.difference ?? 0n) + amount
    claims.set(key, { token, question, difference })
  }
  for (const { type, token, from, to, tokenId, amount } of changes) {
    if (token === null || type === 'erc721') continue
    claim(token, from, tokenId, -amount)
    claim(token, to, tokenId, amount)
  }
  const uncountable = new Set(changes.filter(({ tokenId }) => tokenId !== null).map(({ token }) => token))
  for (const token of written) {
    if (!uncountable.has(token)) for (const owner of bystanders) claim(token, owner, null, 0n)
  }
  return [...claims.values()]
}

function findLastOwners(changes: readonly AssetChange[]): readonly AssetChange[] {
  const last = new Map<string, AssetChange>()
  for (const change of changes)
    if (change.type === 'erc721') last.set(`${change.token} ${change.tokenId}`, change)
  return [...last.values()]
}

/** True when the contracts' answers before and after agree with every change, and nothing moved without a log. */
export async function checkTokens(
  changes: readonly AssetChange[],
  written: readonly Hex[],
  bystanders: readonly Hex[],
  probe: ProbeWord,
): Promise<boolean> {
  const claims = collectClaims(changes, written, bystanders)
  const owned = findLastOwners(changes)
  if (claims.length + owned.length > MAX_PROBES) return false
  for (const { token, question, difference } of claims) {
    const before = await probe('before', token, question)
    // a contract that was created just now has no balances before
    const after = await probe('after', token, question)
    if (before === null && after === null && difference === 0n) continue
    if (after === null || after - (before ?? 0n) !== difference) return false
  }
  for (const { token, tokenId, to } of owned) {
    if (token === null) continue
    const question = encodeFunctionData({ abi, functionName: 'ownerOf', args: [tokenId ?? 0n] })
    if (((await probe('after', token, question)) ?? 0n) !== BigInt(to)) return false
  }
  return true
}
