import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEther,
  parseEventLogs,
  type Abi,
  type Address,
  type Hash,
  type Hex,
  type Log,
  type TransactionReceipt,
} from 'viem'
import type { Payer } from '../../../../../harness/chain-actors.ts'
import { toBytes32 } from '../../../../../../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'

/** The real contracts of Across on one chain, ready for fills by a payer. */
export interface AcrossOnChain {
  spokePool: Address
  multicallHandler: Address
  wrapped: Address
}

const artifact = (name: string): { abi: Abi; bytecode: Hex } => {
  const path = `@across-protocol/contracts/dist/evm/artifacts/${name}.sol/${name}.json`
  const { abi, bytecode } = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(path)), 'utf8')) as {
    abi: Abi
    bytecode: Hex | { object: Hex }
  }
  return { abi, bytecode: typeof bytecode === 'string' ? bytecode : bytecode.object }
}
export const spokePool = artifact('Ethereum_SpokePool')
const handler = artifact('MulticallHandler')
const wrappedAbi = parseAbi(['function deposit() payable'])

/** Sends a call and waits for it. @throws Error when it reverts. */
export async function send(
  { wallet: { sender, reader } }: Pick<Payer, 'wallet'>,
  call: {
    address: Address
    abi: Abi
    functionName: string
    args?: readonly unknown[]
    value?: bigint
    gas?: bigint
    maxFeePerGas?: bigint
    maxPriorityFeePerGas?: bigint
  },
): Promise<TransactionReceipt> {
  const hash: Hash = await sender.writeContract(call as never)
  const receipt = await reader.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`${call.functionName} was reverted`)
  return receipt
}

/** Prepares a payer for fills on its chain: wraps 100 coins and approves the SpokePool for them and for the tokens. */
export async function prepareFills(
  payer: Payer,
  wrapped: Address,
  tokens: readonly Address[],
): Promise<AcrossOnChain> {
  const { spokePool: pool, multicallHandler } = payer.chain.across
  await send(payer, { address: wrapped, abi: wrappedAbi, functionName: 'deposit', value: parseEther('100') })
  for (const token of [wrapped, ...tokens])
    await send(payer, {
      address: token,
      abi: erc20Abi,
      functionName: 'approve',
      args: [pool, maxUint256],
    })
  return { spokePool: pool, multicallHandler, wrapped }
}

/** The members of a deposit's event, as `fillRelay` takes them. */
export interface DepositedRelay {
  depositor: Hex
  recipient: Hex
  exclusiveRelayer: Hex
  inputToken: Hex
  outputToken: Hex
  inputAmount: bigint
  outputAmount: bigint
  originChainId: bigint
  depositId: bigint
  quoteTimestamp: number
  fillDeadline: number
  exclusivityDeadline: number
  message: Hex
}

/** The deposits in a transaction's logs. */
export function depositsIn(logs: readonly Log[], originChainId: number): DepositedRelay[] {
  const events = parseEventLogs({ abi: spokePool.abi, logs: [...logs], eventName: 'FundsDeposited' })
  return events.map(({ args }) => ({
    ...(args as unknown as DepositedRelay),
    originChainId: BigInt(originChainId),
  }))
}

/** Fills a deposit on its destination. @throws Error when the contract refuses. */
export const fill = (payer: Payer, { spokePool: address }: AcrossOnChain, relay: DepositedRelay) =>
  send(payer, {
    address,
    abi: spokePool.abi,
    functionName: 'fillRelay',
    // The gas estimate is the least with which the fill succeeds; calls of its message could run out of gas with it.
    gas: 3_000_000n,
    args: [relay, relay.originChainId, toBytes32(payer.wallet.account.address)],
  })

/** The recipients whose calls failed in a fill. */
export const callsFailedIn = (logs: readonly Log[]): Address[] =>
  parseEventLogs({ abi: handler.abi, logs: [...logs], eventName: 'CallsFailed' }).map(
    ({ args }) => (args as unknown as { fallbackRecipient: Address }).fallbackRecipient,
  )

/** Makes a deposit that copies every member of another except its number. Anybody may do that, in any depositor's name. */
export function depositLike(
  payer: Payer,
  { spokePool: address }: AcrossOnChain,
  destinationChainId: number,
  relay: DepositedRelay,
  fees: { maxFeePerGas?: bigint; maxPriorityFeePerGas?: bigint } = {},
): Promise<TransactionReceipt> {
  const { depositor, recipient, exclusiveRelayer, inputToken, outputToken, inputAmount, outputAmount } = relay
  const { quoteTimestamp, fillDeadline, exclusivityDeadline, message } = relay
  const who = [depositor, recipient, inputToken, outputToken, inputAmount, outputAmount]
  const when = [quoteTimestamp, fillDeadline, exclusivityDeadline, message]
  return send(payer, {
    address,
    abi: spokePool.abi,
    functionName: 'deposit',
    args: [...who, BigInt(destinationChainId), exclusiveRelayer, ...when],
    ...fees,
  })
}
