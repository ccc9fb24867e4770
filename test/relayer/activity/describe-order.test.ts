import { getAddress, zeroAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import type { OrderSummary } from '../../../db/transact/bridge-orders.ts'
import { venuesConfig } from '../../../relayer/chain/nodes/venues-config.ts'
import { describeOrder, type OrderChain } from '../../../relayer/activity/describe-order.ts'
import { randomAddress } from '../chain/indexer/chain-calls.ts'

const [ORIGIN, DESTINATION] = [1, 10]
const DEADLINE = 2_000_000_000
const [wrapped, wrappedThere, dollar, dollarThere, euro, recipient, pool] = Array.from({ length: 7 }, () =>
  getAddress(randomAddress()),
) as [Address, Address, Address, Address, Address, Address, Address]

const chainWith = (name: string, coin: Address, dollars: Address): OrderChain => ({
  name,
  explorer: undefined,
  explorerTxPath: 'tx/',
  wrappedNative: coin,
  venues: venuesConfig.parse({
    across: {
      spokePool: pool,
      feesUrl: 'http://127.0.0.1:1',
      tokens: [
        { asset: 'ETH', token: coin },
        { asset: 'USD', token: dollars },
      ],
    },
  }),
})
const chains = new Map([
  [ORIGIN, chainWith('here', wrapped, dollar)],
  [DESTINATION, chainWith('there', wrappedThere, dollarThere)],
])

const begun: OrderSummary = {
  status: 'pending',
  depositTx: null,
  fillTx: null,
  refundTx: null,
  originChainId: ORIGIN,
  destinationChainId: DESTINATION,
  sourceToken: zeroAddress,
  sourceAmount: 100n,
  outputToken: zeroAddress,
  expectedOutput: 99n,
  outputRecipient: recipient,
  arrivedToken: null,
  arrivedAmount: null,
  estimatedFillMs: 2_000,
  fillDeadline: DEADLINE,
}
const describeIt = (changes: Partial<OrderSummary>) =>
  describeOrder(
    { ...begun, ...changes },
    (chainId) => chains.get(chainId),
    true,
    (chainId, token, value) => ({
      chainId,
      tokenAddress: getAddress(token),
      token: null,
      value,
      price: null,
    }),
  )

it('an order of one asset is a bridge, one of two assets a swap across chains', () => {
  const kindOf = (sourceToken: Address, outputToken: Address) => describeIt({ sourceToken, outputToken }).kind
  expect(kindOf(zeroAddress, zeroAddress)).toBe('BRIDGE')
  expect(kindOf(zeroAddress, wrappedThere)).toBe('BRIDGE')
  expect(kindOf(dollar, dollarThere)).toBe('BRIDGE')
  expect(kindOf(dollar, zeroAddress)).toBe('CROSS_CHAIN_SWAP')
  expect(kindOf(euro, euro)).toBe('CROSS_CHAIN_SWAP')
})

it('the order shows when a refund is owed from the first answer on, until there is a fill or a refund', () => {
  const eligible = new Date(DEADLINE * 1_000)
  for (const status of ['pending', 'confirmed_source', 'expired'] as const)
    expect(describeIt({ status }).bridge.refundEligibleAt).toEqual(eligible)
  expect(describeIt({ status: 'confirmed_source', fillTx: '0x01' }).bridge.refundEligibleAt).toBeNull()
  for (const status of ['refunded', 'failed'] as const)
    expect(describeIt({ status }).bridge.refundEligibleAt).toBeNull()
})

it('the order shows a fill in another token, and a refund on the chain that it left', () => {
  const filled = { status: 'completed', fillTx: '0x01' } as const
  const wanted = { sourceToken: euro, outputToken: euro, ...filled }
  expect(describeIt({ ...wanted, arrivedToken: dollarThere, arrivedAmount: 7n })).toMatchObject({
    executionStatus: 'partial',
    bridge: { dest: { chainId: DESTINATION, tokenAddress: dollarThere, value: 7n }, destChainName: 'there' },
  })
  expect(describeIt({ ...wanted, arrivedToken: euro, arrivedAmount: 8n })).toMatchObject({
    executionStatus: 'succeeded',
    bridge: { dest: { tokenAddress: euro, value: 8n } },
  })
  const refund = { status: 'refunded', refundTx: '0x02', arrivedToken: wrapped, arrivedAmount: 100n } as const
  expect(describeIt(refund)).toMatchObject({
    executionStatus: 'failed',
    bridge: {
      source: { tokenAddress: zeroAddress },
      dest: { chainId: ORIGIN, tokenAddress: wrapped, value: 100n },
      destChainName: 'here',
    },
  })
})
