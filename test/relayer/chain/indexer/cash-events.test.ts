import { encodeAbiParameters, encodeEventTopics, keccak256, zeroAddress, type Address, type Hex } from 'viem'
import { expect, test } from 'vitest'
import {
  computeDepositKey,
  hashOfName,
  peerEscrowAbi,
  peerOrchestratorAbi,
} from '../../../../relayer/chain/contracts/peer-escrow.ts'
import { findCashEvents } from '../../../../relayer/chain/indexer/find-cash-events.ts'
import type { RawLog } from '../../../../relayer/chain/indexer/raw-block.ts'
import { randomAddress } from './chain-calls.ts'

const [escrow, orchestrator, own, stranger, token, gate] = Array.from({ length: 6 }, randomAddress) as [
  Address,
  ...Address[],
] as [Address, Address, Address, Address, Address, Address]
const TX: Hex = `0x${'11'.repeat(32)}`
const intentHash: Hex = `0x${'22'.repeat(32)}`
const payeeDetails = keccak256('0x01')

const published = [...peerEscrowAbi, ...peerOrchestratorAbi]
type EventName = Extract<(typeof published)[number], { type: 'event' }>['name']

/** A log of an event of the escrow or the orchestrator. */
function said(eventName: EventName, args: Record<string, unknown>, emitter = escrow, tx = TX): RawLog {
  const abi = published.filter((entry) => entry.type === 'event' && entry.name === eventName)
  const [event] = abi
  const inputs = event && 'inputs' in event ? event.inputs.filter((input) => !('indexed' in input)) : []
  const data = encodeAbiParameters(inputs, inputs.map(({ name }) => args[name as string]) as never)
  const topics = encodeEventTopics({ abi, eventName, args }) as Hex[]
  const at = { blockHash: TX, blockNumber: '0x1', transactionHash: tx, transactionIndex: '0x0' } as const
  return { ...at, address: emitter, topics, data, logIndex: '0x0' }
}

const range = { min: 1n, max: 100n }
const opened = (depositor: Address, emitter = escrow) => [
  said(
    'DepositReceived',
    {
      depositId: 7n,
      depositor,
      token,
      amount: 100n,
      intentAmountRange: range,
      delegate: zeroAddress,
      intentGuardian: zeroAddress,
    },
    emitter,
  ),
  said(
    'DepositPaymentMethodAdded',
    { depositId: 7n, paymentMethod: hashOfName('venmo'), payeeDetails, intentGatingService: gate },
    emitter,
  ),
  said(
    'DepositCurrencyAdded',
    { depositId: 7n, paymentMethod: hashOfName('venmo'), currency: hashOfName('USD'), minConversionRate: 5n },
    emitter,
  ),
]
const params = {
  token,
  amount: 100n,
  intentAmountRange: range,
  paymentMethods: [hashOfName('venmo')],
  paymentMethodData: [{ intentGatingService: gate, payeeDetails, data: '0x' as const }],
  currencies: [
    [
      {
        code: hashOfName('USD'),
        minConversionRate: 5n,
        oracleRateConfig: {
          adapter: stranger,
          adapterConfig: '0x' as const,
          spreadBps: 0,
          maxStaleness: 60,
        },
      },
    ],
  ],
  delegate: zeroAddress,
  intentGuardian: zeroAddress,
  retainOnEmpty: false,
}
const find = (...logs: RawLog[]) => findCashEvents(logs, [{ escrow, orchestrator }], (hex) => hex === own)

test('the events of a new deposit have the key of its calldata, and any other member gives another', () => {
  expect(find(...opened(own))).toMatchObject([
    { kind: 'received', address: own, depositId: 7n, depositKey: computeDepositKey(own, params) },
  ])
  const others = [
    computeDepositKey(stranger, params),
    computeDepositKey(own, { ...params, amount: 99n }),
    computeDepositKey(own, { ...params, intentAmountRange: { min: 2n, max: 100n } }),
    computeDepositKey(own, { ...params, delegate: stranger }),
    computeDepositKey(own, { ...params, intentGuardian: stranger }),
    computeDepositKey(own, { ...params, paymentMethods: [hashOfName('revolut')] }),
    computeDepositKey(own, { ...params, currencies: [[]] }),
  ]
  expect(others).not.toContain(computeDepositKey(own, params))
})

test('the indexer leaves out deposits of others, and events of other contracts', () => {
  expect(find(...opened(stranger))).toEqual([])
  expect(find(...opened(own, stranger))).toEqual([])
  const signaled = {
    intentHash,
    depositId: 7n,
    paymentMethod: hashOfName('venmo'),
    owner: stranger,
    to: stranger,
    amount: 9n,
    fiatCurrency: hashOfName('USD'),
    conversionRate: 6n,
    timestamp: 1n,
  }
  expect(find(said('IntentSignaled', { ...signaled, escrow }, orchestrator))).toMatchObject([
    { kind: 'signaled', depositId: 7n, intentHash, amount: 9n, rate: 6n },
  ])
  // The same orchestrator serves other escrows, whose numbers mean other deposits.
  expect(find(said('IntentSignaled', { ...signaled, escrow: stranger }, orchestrator))).toEqual([])
})

test('a log that its names do not fit is no event, and a later method is not the deposit’s', () => {
  const broken = { ...said('DepositClosed', { depositId: 7n, depositor: own }), data: '0x01' as const }
  expect(find(broken)).toEqual([])
  const [received, method, currency] = opened(own) as [RawLog, RawLog, RawLog]
  const later = { ...method, transactionHash: intentHash }
  expect(find(received, later, currency)).not.toMatchObject([{ depositKey: computeDepositKey(own, params) }])
})
