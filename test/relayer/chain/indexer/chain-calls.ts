import { randomBytes } from 'node:crypto'
import { getAddress, type Address, type Hex } from 'viem'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { computeAddresses } from '../../../devnet/deploy/devnet-addresses.ts'

export const accounts = deriveAccounts()
export const contracts = computeAddresses(accounts.deployer.address, 31_337)

/** A call that the chain's node signs for any sender. */
export interface Call {
  from: Address
  to: Address
  value?: bigint
  data?: Hex
}

/** The call in a node's JSON. */
export const describeCall = ({ from, to, value = 0n, data }: Call) => ({
  from,
  to,
  value: `0x${value.toString(16)}`,
  gas: '0x493e0',
  ...(data && { data }),
})

export const randomAddress = (): Address => getAddress(`0x${randomBytes(20).toString('hex')}`)
