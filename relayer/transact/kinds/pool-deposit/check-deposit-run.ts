import { isAddressEqual, parseEventLogs, type Address, type Log } from 'viem'
import { poolAbi } from '../../../chain/contracts/privacy-pools.ts'
import { serverBusy } from '../../../errors.ts'
import type { SimulatedRun } from '../../intents/simulated-run.ts'

/** The deposit that a run must make. */
export interface ExpectedDeposit {
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
  { logs, provider }: Pick<SimulatedRun, 'logs' | 'provider'>,
  { pool, depositor, precommitment, net }: ExpectedDeposit,
): boolean {
  if (provider === 'rpc-call')
    throw serverBusy('What the deposit would do cannot be told now. Try again later.')
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
