import { encodeFunctionData, erc20Abi, parseAbi, type Address, type Hex, type TransactionReceipt } from 'viem'
import { encodeMessage } from '../../../../../../relayer/transact/venues/bridge/across/across-venue.ts'
import { send, spokePool, type DepositedRelay } from './fill-deposits.ts'
import type { BridgeWorld } from './start-bridge-world.ts'

/** A call that must not fail. */
interface MadeCall {
  target: Address
  callData: Hex
}

const multicallAbi = parseAbi([
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable',
])
const handlerAbi = parseAbi(['function handleV3AcrossMessage(address, uint256, address, bytes)'])

/** Fills an order of dollars from a contract that then makes other calls, for which it has `extra` dollars. */
export async function fillAmong(
  { destination: { payer, across, dollar }, service }: BridgeWorld,
  relay: DepositedRelay,
  { calls, extra = 0n }: { calls: readonly MadeCall[]; extra?: bigint },
): Promise<TransactionReceipt> {
  const multicall = service.config.chains[1]?.relayer?.multicall
  if (!multicall) throw new Error('the chain has no Multicall')
  await payer.payToken(dollar, multicall, relay.outputAmount + extra)
  const args = [across.spokePool, relay.outputAmount] as const
  const filling = [
    { target: dollar, callData: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) },
    {
      target: across.spokePool,
      callData: encodeFunctionData({
        abi: spokePool.abi,
        functionName: 'fillRelay',
        args: [relay, relay.originChainId, relay.depositor],
      }),
    },
  ]
  return send(payer, {
    address: multicall,
    abi: multicallAbi,
    functionName: 'aggregate3Value',
    args: [[...filling, ...calls].map((call) => ({ ...call, allowFailure: false, value: 0n }))],
  })
}

/** A transfer from the caller. */
export const transferCall = (token: Address, to: Address, amount: bigint): MadeCall => ({
  target: token,
  callData: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})

/** Makes a handler report that the calls for a recipient failed. */
export function failingCall(handler: Address, token: Address, recipient: Address): MadeCall {
  // No contract has this function.
  const calls = [{ to: recipient, value: 0n, data: '0x12345678' as const }]
  const message = encodeMessage({ calls, recipient })
  const args = [token, 0n, recipient, message] as const
  return {
    target: handler,
    callData: encodeFunctionData({ abi: handlerAbi, functionName: 'handleV3AcrossMessage', args }),
  }
}
