import { encodeFunctionData, parseAbi } from 'viem'
import type { CallAudit } from '../../simulate-job.ts'
import type { SimulatedLog } from '../provider.ts'
import type { ProbeWord } from './check-tokens.ts'
import { decodeApprovals } from './decode-approvals.ts'

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
