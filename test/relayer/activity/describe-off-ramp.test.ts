import { getAddress, zeroAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import type { CashSummary } from '../../../db/transact/cash-orders.ts'
import type { Token } from '../../../relayer/market/tokens/tokens.ts'
import { describeOffRamp } from '../../../relayer/activity/describe-off-ramp.ts'
import type { OrderChain } from '../../../relayer/activity/describe-order.ts'
import { venuesConfig } from '../../../relayer/chain/nodes/venues-config.ts'
import { randomAddress } from '../chain/indexer/chain-calls.ts'

const [escrow, orchestrator, dollar, gatingService, adapter] = Array.from({ length: 5 }, () =>
  getAddress(randomAddress()),
) as [Address, Address, Address, Address, Address]
const peer = {
  escrow,
  orchestrator,
  curatorUrl: 'http://127.0.0.1:1',
  gatingService,
  tokens: [dollar],
  methods: [{ name: 'venmo', currencies: ['USD'] }],
  rates: [{ currency: 'USD', adapter, adapterConfig: '0x01' }],
  minIntentAmount: '1',
}
const chainWith = (name: string, depositUrl?: string): OrderChain => ({
  name,
  explorer: undefined,
  explorerTxPath: 'tx/',
  wrappedNative: undefined,
  venues: venuesConfig.parse({ peer: { ...peer, ...(depositUrl && { depositUrl }) } }),
})
const chains = new Map([
  [1, chainWith('here')],
  [2, chainWith('there', 'https://peer.example/{escrow}/{depositId}')],
])
const token = { symbol: 'USDC', decimals: 6, spam: false, logoUri: null } as unknown as Token

const begun: CashSummary = {
  phase: 'depositing',
  failureKind: null,
  sourceChainId: 1,
  sourceToken: dollar,
  sourceAmount: 101_000_000n,
  fromIncognito: false,
  bridgeProvider: null,
  chainId: 1,
  escrow,
  token: dollar,
  amount: 100_000_000n,
  paymentMethod: 'venmo',
  currency: 'USD',
  depositId: null,
  deposited: 0n,
  filled: 0n,
  released: 0n,
  withdrawn: 0n,
  dust: 0n,
  outstanding: 0n,
  acceptsBuyers: false,
  fiatAmount: 100_000_000n,
  buyerPaymentDueAt: null,
  recoverableAt: null,
  serviceFee: null,
}
const describeIt = (changes: Partial<CashSummary> = {}, known: Token | null = token) =>
  describeOffRamp(
    { ...begun, ...changes },
    { chainId: 1, token: zeroAddress },
    (chainId) => chains.get(chainId),
    (chainId, address, value) => ({
      chainId,
      tokenAddress: getAddress(address),
      token: known,
      value,
      price: null,
    }),
  )

const sold: Partial<CashSummary> = {
  phase: 'partially_filled',
  sourceChainId: 1,
  chainId: 2,
  sourceToken: zeroAddress,
  sourceAmount: 5n,
  fromIncognito: true,
  bridgeProvider: 'across',
  paymentMethod: 'revolut',
  currency: 'EUR',
  depositId: 7n,
  deposited: 110_000_000n,
  filled: 33_000_000n,
  released: 3_000_000n,
  withdrawn: 10_000_000n,
  outstanding: 20_000_000n,
  acceptsBuyers: true,
  fiatAmount: 92_345_678n,
  buyerPaymentDueAt: new Date(1_000),
  recoverableAt: new Date(2_000),
  serviceFee: 9n,
}

it('a cash-out that begins has no number, no page and nothing to take back', () => {
  expect(describeIt()).toMatchObject({
    peerDepositId: null,
    depositId: null,
    peerUrl: null,
    progress: 0,
    estimatedFiatAmount: '100.00 USD',
    remaining: 0n,
    recoverableAt: null,
    serviceFee: null,
    escrow: { value: 100_000_000n, chainId: 1 },
    route: { steps: [{ id: 'deposit' }, { id: 'buyer' }, { id: 'payout' }] },
  })
})

it('a cash-out that crossed and is partly sold shows all of it', () => {
  expect(describeIt(sold)).toMatchObject({
    peerDepositId: `${escrow.toLowerCase()}_7`,
    depositId: '7',
    peerUrl: `https://peer.example/${escrow.toLowerCase()}/7`,
    progress: 0.3,
    estimatedFiatAmount: '92.34 EUR',
    filled: 33_000_000n,
    releasedByHand: 3_000_000n,
    remaining: 47_000_000n,
    acceptsBuyers: true,
    escrow: { value: 110_000_000n, chainId: 2 },
    source: { value: 5n, chainId: 1 },
    serviceFee: { value: 9n },
    route: {
      steps: [{ id: 'bridge' }, { id: 'deposit' }, { id: 'buyer' }, { id: 'payout' }],
    },
  })
})

it('no member is constant', () => {
  const failed = describeIt({ phase: 'failed', failureKind: 'bridge_refunded', sourceChainId: 2 })
  const shown = [describeIt(), describeIt(sold), failed].map((one) => ({ ...one }))
  const constant = Object.keys(shown[0] ?? {}).filter(
    (name) => new Set(shown.map((one) => toText(one[name as keyof typeof one]))).size < 2,
  )
  expect(constant).toEqual([])
})

it('money is not estimated where the decimals of the token are not known', () => {
  expect(describeIt({}, null)).toMatchObject({ estimatedFiatAmount: null })
})

it('an escrow that is configured no longer has no page', () => {
  expect(describeIt({ ...sold, escrow: zeroAddress })).toMatchObject({ peerUrl: null })
})

const toText = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
