import {
  decodeFunctionData,
  encodeFunctionData,
  zeroAddress,
  type Address,
  isAddressEqual,
  parseEventLogs,
  type Log,
} from 'viem'
import { depositAbi, poolAbi } from '../../../chain/contracts/privacy-pools.ts'
import { encodeApproval, type Call } from '../../intents/intent.ts'
import { serverBusy } from '../../../errors.ts'
import type { SimulatedRun } from '../../intents/simulated-run.ts'

/** A deposit of one address. Amounts in the token's smallest unit. */
export interface Deposit {
  entrypoint: Address
  /** The zero address is the native coin. */
  token: Address
  gross: bigint
  precommitment: bigint
  /** Allowance that the Entrypoint already has from the address. */
  allowance: bigint
}

/**
 * Encodes the calls of a deposit. A remaining allowance is first reset to zero, as some tokens require. The new one is
 * exact, so that nothing of it remains.
 */
export function encodeDeposit({ entrypoint, token, gross, precommitment, allowance }: Deposit): Call[] {
  if (token === zeroAddress) {
    const data = encodeFunctionData({ abi: depositAbi, functionName: 'deposit', args: [precommitment] })
    return [{ to: entrypoint, value: gross, data }]
  }
  const data = encodeFunctionData({
    abi: depositAbi,
    functionName: 'deposit',
    args: [token, gross, precommitment],
  })
  return [
    ...(allowance > 0n ? [encodeApproval(token, entrypoint, 0n)] : []),
    encodeApproval(token, entrypoint, gross),
    { to: entrypoint, value: 0n, data },
  ]
}

/** Finds the deposit in signed calls; null if none of them is one. */
export function findPoolDeposit(calls: readonly Call[]): { gross: bigint; precommitment: bigint } | null {
  for (const { value, data } of calls) {
    const args = decodeArgs(data)
    if (!args) continue
    const [first, gross, precommitment] = args
    return precommitment === undefined
      ? { gross: value, precommitment: BigInt(first) }
      : { gross: gross ?? 0n, precommitment }
  }
  return null
}

function decodeArgs(data: Call['data']) {
  try {
    return decodeFunctionData({ abi: depositAbi, data }).args
  } catch {
    return null
  }
}

/** The deposit that a run must make. */
interface ExpectedDeposit {
  pool: Address
  depositor: Address
  precommitment: bigint
  /** Value of the note, in the smallest unit. */
  net: bigint
}

/**
 * True if a run makes exactly this deposit of the depositor, by the pool's own event.
 * @throws ServiceError `unavailable` when the run reports no events.
 */
export function makesDeposit(
  { logs, provider }: SimulatedRun,
  { pool, depositor, precommitment, net }: ExpectedDeposit,
): boolean {
  if (provider === 'rpc-call')
    throw serverBusy('The effects of the deposit cannot be determined now; try again later')
  const ofPool = logs.filter(({ address }) => isAddressEqual(address, pool)) as unknown as Log[]
  const deposits = parseEventLogs({ abi: poolAbi, eventName: 'Deposited', logs: ofPool }).filter(({ args }) =>
    isAddressEqual(args._depositor, depositor),
  )
  const [only, ...more] = deposits
  return (
    only !== undefined &&
    more.length === 0 &&
    only.args._precommitmentHash === precommitment &&
    only.args._value === net
  )
}
