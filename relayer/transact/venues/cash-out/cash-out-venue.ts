import type { Address, Hash } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import type { Call } from '../../intents/intent.ts'
import type { SimulatedRun } from '../../intents/simulated-run.ts'

/** What a cash-out venue needs of a chain. */
export type CashOutChain = Pick<Chain, 'config' | 'client'>

/** What a venue is used for on a chain, as the operator configured it. */
export interface CashOutOffer {
  /** Holds what is sold, and is approved for it. */
  escrow: Address
  orchestrator: Address
  /** Tokens that it sells. */
  tokens: readonly Address[]
  /** Payment apps and the currencies that each pays. */
  methods: readonly PaymentMethod[]
  /** The least that is sold at once, smallest unit. */
  minAmount: bigint
}

/** A payment app or bank, by the venue's name for it, and the currencies that it pays. */
export interface PaymentMethod {
  paymentMethod: string
  currencies: readonly string[]
}

/** What one whole token sells for, times 1e18. */
export interface CashOutRate {
  /** By the venue's feed now; the rate binds once a buyer signals. */
  rate: bigint
  /** Buyers never pay less: it stands in the calldata. */
  minimumRate: bigint
}

/** What is put up for sale. Amounts in the token's smallest unit. */
export interface CashOutSale {
  token: Address
  amount: bigint
  paymentMethod: string
  currency: string
  /** By which the venue knows who is paid. It is public. */
  payeeDetails: Hash
  minimumRate: bigint
}

/** A sale as signed calls open it, without the names that only hashes stand for there. */
export interface OpenedSale extends Omit<CashOutSale, 'paymentMethod' | 'currency'> {
  depositor: Address
  escrow: Address
  /** One hash over all that the escrow's events will tell of it. */
  depositKey: Hash
}

/** What a deposit has in the escrow now. Amounts in the smallest unit of its token. */
export interface DepositState {
  token: Address
  /** What a withdrawal gives back now: what no buyer holds, and what buyers held for too long. */
  withdrawable: bigint
  /** Of that: what is free already, without what buyers held for too long. */
  free: bigint
  /** What buyers hold still. */
  held: bigint
  /** Where a named amount leaves less, the sale ends; 0 where it has ended. */
  leastLeft: bigint
}

/** A way to sell tokens for money on a bank account or payment app. */
export interface CashOutVenue {
  readonly provider: 'peer'
  /** Null where it is not configured. */
  findOffer(chain: Pick<CashOutChain, 'config'>): CashOutOffer | null
  /**
   * What a currency is worth now. Only the chain's node is asked, for the currency alone.
   * @throws ServiceError `bad-gateway` CASH_OUT_UNAVAILABLE while the feed has no price that the escrow would take;
   * `unavailable` when the chain does not answer.
   */
  readRate(chain: CashOutChain, currency: string): Promise<CashOutRate>
  /**
   * Tells the venue's curator who is to be paid, and nothing else.
   * @returns The hash by which the escrow names the payee.
   * @throws ServiceError `bad-request` PAYEE_REFUSED; `bad-gateway` CASH_OUT_UNAVAILABLE when the curator does not answer.
   */
  register(chain: CashOutChain, payee: { paymentMethod: string; handle: string }): Promise<Hash>
  /** Whether the curator knows a payee still, who is named by the hash. @throws ServiceError as `register` does. */
  isRegistered(chain: CashOutChain, payee: { paymentMethod: string; payeeDetails: Hash }): Promise<boolean>
  /** The calls of a seller; `allowance` is what the escrow may take already. */
  openCalls(chain: Pick<CashOutChain, 'config'>, sale: CashOutSale, allowance: bigint): readonly Call[]
  /** The calls of a contract that was given the amount and opens the sale for a depositor. */
  openForCalls(chain: Pick<CashOutChain, 'config'>, sale: CashOutSale, depositor: Address): readonly Call[]
  /** The sale that a depositor's calls open; null unless they open exactly one. */
  findSale(calls: readonly Call[], escrow: Address, depositor: Address): OpenedSale | null
  /** Whether a run opens just this sale, by the escrow's own events. */
  hasOpened(run: Pick<SimulatedRun, 'logs'>, sale: OpenedSale): boolean
  /** What a deposit has now; null where there is none of that number. @throws ServiceError `unavailable`. */
  readDeposit(
    chain: Pick<CashOutChain, 'client'>,
    deposit: { escrow: Address; depositId: bigint; depositor: Address },
  ): Promise<DepositState | null>
  /** The calls that take an amount back; null takes all that no buyer holds, and closes the sale to buyers. */
  withdrawCalls(deposit: { escrow: Address; depositId: bigint }, amount: bigint | null): readonly Call[]
}
