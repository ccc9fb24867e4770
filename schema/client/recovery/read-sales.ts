// SPDX-License-Identifier: MIT
import { numberToHex, padHex, type Address, type Hex } from 'viem'
import type { OwnAddress } from './own-address.ts'
import { readUnit } from './read-assets.ts'
import type { RecoveryChain } from './recovery-chain.ts'
import { searchLogs } from './search-logs.ts'

/** Tokens that wait for a buyer in the escrow of cash-outs. Only the address that deposited them can take them back. */
export interface SaleHolding {
  kind: 'sale'
  chainId: number
  owner: OwnAddress
  escrow: Address
  depositId: bigint
  token: Address
  symbol: string
  decimals: number
  /** The part that no buyer holds; a part that a buyer holds comes back later, if it is not paid for. */
  amount: bigint
}

/** `DepositReceived(uint256 indexed depositId, address indexed depositor, address indexed token, …)`. */
const RECEIVED = '0x1236dbdc184b6c8721974cce53dabb6018679bca9a43784ab2ad71bcdb1d7dd1'

const depositAbi = [
  {
    name: 'getDeposit',
    type: 'function',
    stateMutability: 'view',
    inputs: [{ type: 'uint256', name: 'depositId' }],
    outputs: [
      {
        type: 'tuple',
        components: [
          { type: 'address', name: 'depositor' },
          { type: 'address', name: 'delegate' },
          { type: 'address', name: 'token' },
          {
            type: 'tuple',
            name: 'intentAmountRange',
            components: [
              { type: 'uint256', name: 'min' },
              { type: 'uint256', name: 'max' },
            ],
          },
          { type: 'bool', name: 'acceptingIntents' },
          { type: 'uint256', name: 'remainingDeposits' },
          { type: 'uint256', name: 'outstandingIntentAmount' },
          { type: 'address', name: 'intentGuardian' },
          { type: 'bool', name: 'retainOnEmpty' },
        ],
      },
    ],
  },
] as const

/** Finds the sales of a wallet that are not sold out. */
export async function findSales(
  chain: RecoveryChain,
  owners: readonly OwnAddress[],
  options: { since: bigint; report?: (done: number) => void },
): Promise<SaleHolding[]> {
  const { chainId, escrow, reader } = chain
  if (!escrow) return []
  const byTopic = new Map(owners.map((owner) => [padHex(owner.address).toLowerCase(), owner]))
  const logs = await searchLogs(
    reader,
    ({ fromBlock, toBlock }) =>
      reader.request({
        method: 'eth_getLogs',
        params: [
          {
            address: escrow,
            fromBlock: numberToHex(fromBlock),
            toBlock: numberToHex(toBlock),
            topics: [RECEIVED, null, [...byTopic.keys()] as Hex[]],
          },
        ],
      }),
    options,
  )
  const found: SaleHolding[] = []
  for (const {
    topics: [, id, depositor],
  } of logs) {
    const owner = byTopic.get(depositor?.toLowerCase() ?? '')
    const depositId = BigInt(id ?? 0)
    const asked = { address: escrow, abi: depositAbi, functionName: 'getDeposit' } as const
    const { token, remainingDeposits: amount } = await reader.readContract({ ...asked, args: [depositId] })
    if (!owner || amount === 0n) continue
    const unit = await readUnit(chain, token)
    found.push({ kind: 'sale', chainId, owner, escrow, depositId, token, amount, ...unit })
  }
  return found
}
