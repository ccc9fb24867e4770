import { encodeDeployData, encodeFunctionData, parseEther, zeroAddress, type Address, type Hex } from 'viem'
import type { DevnetAccounts } from '../accounts.ts'
import { addressOf } from './devnet-addresses.ts'
import type { PublishedContract, PublishedContracts } from './published-contracts.ts'

/** How long a SpokePool of the devnet takes a deposit, in seconds, as those of other chains do. */
const DEPOSIT_BUFFERS = { quoteTime: 3_600, fillDeadline: 21_600 }
/** The initial coins of each chain's filler, in wei: the largest transfer many times over. */
const FILLER_COINS = parseEther('5000')

/** A call that creates a contract, uses one or pays an address. */
interface AcrossTransaction {
  to?: Address
  data: Hex
  value?: bigint
}

/** The steps that create Across as its authors publish it, without the hub of another chain. */
export function planAcross(
  published: Pick<PublishedContracts, 'SpokePool' | 'SpokePoolProxy' | 'MulticallHandler'>,
  { deployer, filler }: Pick<DevnetAccounts, 'deployer' | 'filler'>,
): Record<
  'SpokePoolImplementation' | 'SpokePool' | 'MulticallHandler' | 'giveSpokePool' | 'fundFiller',
  AcrossTransaction
> {
  const { SpokePool, SpokePoolProxy, MulticallHandler } = published
  const { quoteTime, fillDeadline } = DEPOSIT_BUFFERS
  const create = ({ abi, bytecode }: PublishedContract, ...args: readonly unknown[]) => ({
    data: encodeDeployData({ abi, bytecode, args }),
  })
  const call = (functionName: string, ...args: readonly unknown[]) =>
    encodeFunctionData({ abi: SpokePool.abi, functionName, args })
  const wrapped = addressOf('WrappedNative', deployer.address)
  const implementation = addressOf('SpokePoolImplementation', deployer.address)
  return {
    SpokePoolImplementation: create(SpokePool, wrapped, quoteTime, fillDeadline, zeroAddress),
    SpokePool: create(SpokePoolProxy, implementation, call('initialize', 0, filler.address)),
    MulticallHandler: create(MulticallHandler),
    // The owner pays refunds. The deployer cannot: its nonces are the addresses of contracts to come.
    giveSpokePool: {
      to: addressOf('SpokePool', deployer.address),
      data: call('transferOwnership', filler.address),
    },
    fundFiller: { to: filler.address, data: '0x', value: FILLER_COINS },
  }
}
