import {
  decodeFunctionData,
  erc20Abi,
  isAddressEqual,
  parseEventLogs,
  size,
  type Address,
  type Hex,
  type PublicClient,
  type Transaction,
} from 'viem'
import { entrypointAbi } from '../../../../../relayer/chain/contracts/privacy-pools.ts'
import { orchestratorAbi } from '../../../../../relayer/transact/intents/intent-abi.ts'
import { type Intent, decodeCalls, decodeIntent } from '../../../../../relayer/transact/intents/intent.ts'
import { findPoolDeposit } from '../../../../../relayer/transact/kinds/pool-deposit/deposit-calls.ts'
import type { DescribedChain } from '../../../../devnet/devnet-description.ts'

/** A deposit into a pool, a payment to an address that is new, or a withdrawal out of the pool, as everybody sees it. */
export interface SeenAct {
  kind: 'deposit' | 'fresh' | 'exit'
  /** The payer; of an exit the paid address. */
  address: Address
  /** The sender of its transaction. */
  signer: Address
  /** The paid address of a payment. */
  recipient: Address | null
  /** Milliseconds since 1970, as precise as the chain's clock. */
  time: number
  block: number
  /** Smallest unit: the pool's gain or loss, or the payment. */
  amount: bigint
  /** Values that can be equal by more than chance; undefined where the act has no such member. */
  marks: Readonly<Record<string, string | undefined>>
}

/** Reads the acts out of all blocks from `first` on: from calldata, and from nothing that only the service has. */
export async function readChain(
  reader: PublicClient,
  chain: Pick<DescribedChain, 'intents' | 'entrypoint'>,
  first: bigint,
  { vettingFeeBps, serviceFeeBps }: { vettingFeeBps: bigint; serviceFeeBps: bigint },
): Promise<SeenAct[]> {
  const acts: SeenAct[] = []
  const last = await reader.getBlockNumber()
  for (let number = first; number <= last; number += 1n) {
    const { transactions, timestamp } = await reader.getBlock({
      blockNumber: number,
      includeTransactions: true,
    })
    for (const transaction of transactions) {
      const { to } = transaction
      if (!to) continue
      const when = { time: Number(timestamp) * 1_000, block: Number(number), signer: transaction.from }
      const sent = marksOf(transaction)
      if (isAddressEqual(to, chain.intents.orchestrator))
        for (const intent of readIntents(transaction.input))
          acts.push({ ...readIntent(intent, { vettingFeeBps, serviceFeeBps }, sent), ...when })
      if (isAddressEqual(to, chain.entrypoint)) {
        const exit = await readExit(reader, transaction)
        if (exit) acts.push({ ...exit, marks: { ...sent, ...exit.marks }, ...when })
      }
    }
  }
  return acts
}

const marksOf = ({ from, gas, maxFeePerGas, maxPriorityFeePerGas, input }: Transaction) => ({
  signer: from,
  gasLimit: String(gas),
  maxFeePerGas: String(maxFeePerGas),
  tip: String(maxPriorityFeePerGas),
  calldataBytes: String(size(input)),
})

function readIntents(input: Hex): Intent[] {
  const { functionName, args } = decodeFunctionData({ abi: orchestratorAbi, data: input })
  return functionName === 'execute' ? [args[0]].flat().map(decodeIntent) : []
}

function readIntent(
  intent: Intent,
  { vettingFeeBps, serviceFeeBps }: { vettingFeeBps: bigint; serviceFeeBps: bigint },
  sent: ReturnType<typeof marksOf>,
): Omit<SeenAct, 'time' | 'block' | 'signer'> {
  const calls = decodeCalls(intent.executionData) ?? []
  const deposit = findPoolDeposit(calls)
  const fee = calls.at(-1)!.value
  const gross = deposit?.gross ?? calls[0]!.value
  const marks = {
    ...sent,
    expiry: String(intent.expiry),
    combinedGas: String(intent.combinedGas),
    // A counter or a prefix of an account's would show in the upper half of the sequence key.
    nonce: String(intent.intentNonce >> 160n),
    executionBytes: String(size(intent.executionData)),
    implementation: intent.supportedAccountImplementation,
    fee: String(fee),
    // The fee of the service is a part in proportion, which everybody can compute.
    // Its rounding is a unit or two.
    networkFee: String((fee - (gross * serviceFeeBps) / 10_000n) / 1_000n),
    amount: String(gross),
  }
  if (deposit) {
    const net = gross - (gross * vettingFeeBps) / 10_000n
    return { kind: 'deposit', address: intent.eoa, recipient: null, amount: net, marks }
  }
  const recipient = calls.map(({ data }) => readTransfer(data)).find((to) => to !== null) ?? null
  return { kind: 'fresh', address: intent.eoa, recipient, amount: gross, marks }
}

function readTransfer(data: Hex): Address | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    return functionName === 'transfer' ? args[0] : null
  } catch {
    return null
  }
}

async function readExit(
  reader: PublicClient,
  { hash, input }: Transaction,
): Promise<Pick<SeenAct, 'kind' | 'address' | 'recipient' | 'amount' | 'marks'> | null> {
  if (decodeEntrypoint(input) !== 'relay') return null
  const { logs } = await reader.getTransactionReceipt({ hash })
  const [relayed] = parseEventLogs({ abi: entrypointAbi, eventName: 'WithdrawalRelayed', logs })
  if (!relayed) return null
  const { _recipient, _amount, _feeAmount } = relayed.args
  return {
    kind: 'exit',
    address: _recipient,
    recipient: null,
    amount: _amount,
    marks: { amount: String(_amount), fee: String(_feeAmount) },
  }
}

function decodeEntrypoint(data: Hex): string | null {
  try {
    return decodeFunctionData({ abi: entrypointAbi, data }).functionName
  } catch {
    return null
  }
}
