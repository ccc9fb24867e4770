import { encodeFunctionData, parseAbi, decodeAbiParameters } from 'viem'
import type { CallAudit, ApprovalChange } from '../../simulate-job.ts'
import type { SimulatedLog, Hex } from '../provider.ts'
import type { ProbeWord } from './check-tokens.ts'

const MAX_PROBES = 32
const abi = parseAbi(['function allowance(address owner, address spender) view returns (uint256)'])

/**
 * Returns the approvals in logs, and whether each ERC-20 allowance afterwards equals the last log about it. Spending from an
 * allowance in the same run makes it smaller: then it does not hold, which is the careful answer.
 */
export async function checkApprovals(
  logs: readonly SimulatedLog[],
  probe: ProbeWord,
): Promise<Omit<CallAudit, 'readsEnvironment'>> {
  const { approvals, undecodable } = decodeApprovals(logs)
  const last = new Map(
    approvals
      .filter(({ standard, type, via }) => standard === 'erc20' && type === 'approval' && via === null)
      .map((approval) => [`${approval.token} ${approval.owner} ${approval.spender}`, approval]),
  )
  if (undecodable || last.size > MAX_PROBES) return { approvals, approvalsHold: false }
  for (const { token, owner, spender, amount } of last.values()) {
    const data = encodeFunctionData({ abi, functionName: 'allowance', args: [owner, spender] })
    if ((await probe('after', token, data)) !== amount) return { approvals, approvalsHold: false }
  }
  return { approvals, approvalsHold: true }
}

/** First topics: keccak-256 of the events' signatures. */
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925' // (address,address,uint256)
const APPROVAL_FOR_ALL = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
/** Permit2's own: Approval, Permit (both of an allowance), Lockdown (which takes one back). */
const PERMIT2_APPROVAL = '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b'
const PERMIT2_PERMIT = '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec'
const PERMIT2_LOCKDOWN = '0x89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4'
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

const ofTopic = (topic: Hex | undefined): Hex => {
  if (topic === undefined) throw new RangeError('a topic is missing')
  return `0x${topic.slice(26).toLowerCase()}`
}

/** Throws when a log has an approval's topic and another form. */
function decodeLog({ address, topics, data }: SimulatedLog): ApprovalChange[] {
  const [event, first, second, third] = topics
  const emitter = address.toLowerCase() as Hex
  const approval = (change: Partial<ApprovalChange> & Pick<ApprovalChange, 'amount' | 'standard'>) => [
    {
      type: 'approval' as const,
      token: emitter,
      owner: ofTopic(first),
      spender: ofTopic(second),
      tokenId: null,
      via: null,
      ...change,
    },
  ]
  if (event === APPROVAL && topics.length === 4)
    return approval({ standard: 'erc721', tokenId: BigInt(third ?? 0), amount: 1n })
  if (event === APPROVAL && topics.length === 3) {
    const [amount] = decodeAbiParameters([{ type: 'uint256' }], data)
    return approval({ standard: 'erc20', amount })
  }
  if (event === APPROVAL_FOR_ALL) {
    const [isGiven] = decodeAbiParameters([{ type: 'bool' }], data)
    return approval({ type: 'approval_for_all', standard: 'erc721', amount: isGiven ? 1n : 0n })
  }
  if (emitter !== PERMIT2) return []
  if (event === PERMIT2_APPROVAL || event === PERMIT2_PERMIT) {
    const [amount] = decodeAbiParameters([{ type: 'uint160' }], data)
    return approval({
      standard: 'erc20',
      token: ofTopic(second),
      spender: ofTopic(third),
      amount,
      via: emitter,
    })
  }
  if (event === PERMIT2_LOCKDOWN) {
    const [token, spender] = decodeAbiParameters([{ type: 'address' }, { type: 'address' }], data)
    return [
      {
        type: 'approval',
        standard: 'erc20',
        token: token.toLowerCase() as Hex,
        owner: ofTopic(first),
        spender: spender.toLowerCase() as Hex,
        tokenId: null,
        amount: 0n,
        via: emitter,
      },
    ]
  }
  return []
}

/**
 * Decodes approvals in logs, in their order: ERC-20, ERC-721, ERC-1155, and the allowances that Permit2 stores.
 * `undecodable` when a log has an approval's topic and cannot be read.
 */
export function decodeApprovals(logs: readonly SimulatedLog[]): {
  approvals: ApprovalChange[]
  undecodable: boolean
} {
  const approvals: ApprovalChange[] = []
  let undecodable = false
  for (const log of logs) {
    try {
      approvals.push(...decodeLog(log))
    } catch {
      undecodable = true
    }
  }
  return { approvals, undecodable }
}
