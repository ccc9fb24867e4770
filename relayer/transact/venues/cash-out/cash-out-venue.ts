import type { Address, Hash } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import type { Call } from '../../intents/intent.ts'
import type { SimulatedRun } from '../../intents/simulated-run.ts'

/** Tokens and payment methods of a venue on a chain, as the operator configured them. */
export interface CashOutOffer {
  /** Contract that holds the tokens for sale, and is approved for them. */
  escrow: Address
  orchestrator: Address
  /** Tokens that it sells. */
  tokens: readonly Address[]
  /** Payment apps and the currencies that each pays. */
  methods: readonly PaymentMethod[]
  /** Least amount of a sale, smallest unit. */
  minAmount: bigint
}

/** A payment app or bank, by the venue's name for it, and the currencies that it pays. */
export interface PaymentMethod {
  paymentMethod: string
  currencies: readonly string[]
}

/** Price of one whole token, times 1e18. */
export interface CashOutRate {
  /** Present rate of the venue's feed; the rate binds once a buyer signals. */
  rate: bigint
  /** Rate below which no buyer can pay: the calldata contains it. */
  minimumRate: bigint
}

/** Terms of a sale. Amounts in the token's smallest unit. */
export interface CashOutSale {
  token: Address
  amount: bigint
  paymentMethod: string
  currency: string
  /** The venue's public hash of the payee. */
  payeeDetails: Hash
  minimumRate: bigint
}

/** A sale as signed calls open it, without the names that the calldata has only as hashes. */
export interface OpenedSale extends Omit<CashOutSale, 'paymentMethod' | 'currency'> {
  depositor: Address
  escrow: Address
  /** Hash over all members of the sale that the escrow's events show. */
  depositKey: Hash
}

/** State of a deposit in the escrow. Amounts in the smallest unit of its token. */
export interface DepositState {
  token: Address
  /** Amount that a withdrawal returns now: the free amount and expired claims. */
  withdrawable: bigint
  /** Part of `withdrawable` without the expired claims. */
  free: bigint
  /** Amount in live claims of buyers. */
  held: bigint
  /** Amount that a partial withdrawal must leave, or the sale ends; 0 if it has ended. */
  leastLeft: bigint
}

/** A venue that sells tokens for money on a bank account or payment app. */
export interface CashOutVenue {
  readonly provider: 'peer'
  /** Returns the configured offer; null without one. */
  findOffer(chain: Chain): CashOutOffer | null
  /**
   * Reads the rate of a currency. The only query goes to the chain's node, for the currency alone.
   * @throws ServiceError `bad-gateway` CASH_OUT_UNAVAILABLE while the feed has no price that the escrow would accept;
   * `unavailable` when the chain does not answer.
   */
  readRate(chain: Chain, currency: string): Promise<CashOutRate>
  /**
   * Registers a payee with the venue's curator, which learns nothing else.
   * @returns The escrow's public hash of the payee.
   * @throws ServiceError `bad-request` PAYEE_REFUSED; `bad-gateway` CASH_OUT_UNAVAILABLE when the curator does not
   * answer.
   */
  register(chain: Chain, payee: { paymentMethod: string; handle: string }): Promise<Hash>
  /** True if the curator still knows the payee with this hash. @throws ServiceError as `register` does. */
  isRegistered(chain: Chain, payee: { paymentMethod: string; payeeDetails: Hash }): Promise<boolean>
  /** Returns a seller's calls; `allowance` is the escrow's existing one. */
  openCalls(chain: Chain, sale: CashOutSale, allowance: bigint): readonly Call[]
  /** Returns the calls of a contract that got the amount and opens the sale for a depositor. */
  openForCalls(chain: Chain, sale: CashOutSale, depositor: Address): readonly Call[]
  /** Finds the sale that a depositor's calls open; null unless they open exactly one. */
  findSale(calls: readonly Call[], escrow: Address, depositor: Address): OpenedSale | null
  /** True if a run opens exactly this sale, by the escrow's own events. */
  hasOpened(run: SimulatedRun, sale: OpenedSale): boolean
  /**
   * Reads the state of a deposit; null if the depositor has no deposit of that number. @throws ServiceError `unavailable`.
   */
  readDeposit(
    chain: Chain,
    deposit: { escrow: Address; depositId: bigint; depositor: Address },
  ): Promise<DepositState | null>
  /**
   * Returns the calls that take an amount back; null takes everything that no buyer holds, and closes the sale to
   * buyers.
   */
  withdrawCalls(deposit: { escrow: Address; depositId: bigint }, amount: bigint | null): readonly Call[]
}
