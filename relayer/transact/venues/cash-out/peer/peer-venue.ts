import { encodeFunctionData, isAddressEqual, zeroAddress } from 'viem'
import { peerEscrowAbi, rateAdapterAbi } from '../../../../chain/contracts/peer-escrow.ts'
import type { PeerConfig } from '../../../../chain/nodes/venues-config.ts'
import { serverBusy } from '../../../../errors.ts'
import type { CashOutChain, CashOutVenue, CashOutRate } from '../cash-out-venue.ts'
import { cashOutUnavailable } from '../errors.ts'
import { isPayeeRegistered, registerPayee } from './ask-curator.ts'
import { encodeOpenCalls, encodeOpenForCalls } from './encode-sale.ts'
import { decodeSale, hasOpenedSale } from './find-sale.ts'

/**
 * Creates Peer as a cash-out venue: an escrow whose buyers pay by bank or payment app and prove it. Its curator is
 * queried about payees alone; contracts and rates come from the configuration and the chain.
 */
export function createPeerVenue(): CashOutVenue {
  return {
    provider: 'peer',
    findOffer({ config: { venues } }) {
      const { peer } = venues
      if (!peer) return null
      const priced = new Set(peer.rates.map(({ currency }) => currency))
      const methods = peer.methods.map(({ name, currencies }) => ({
        paymentMethod: name,
        currencies: currencies.filter((currency) => priced.has(currency)),
      }))
      return {
        escrow: peer.escrow,
        orchestrator: peer.orchestrator,
        tokens: peer.tokens,
        methods: methods.filter(({ currencies }) => currencies.length > 0),
        minAmount: peer.minIntentAmount,
      }
    },
    readRate: (chain, currency) => readPeerRate(chain, configOf(chain), currency),
    register: (chain, payee) => registerPayee(curatorOf(chain), payee),
    isRegistered: (chain, payee) => isPayeeRegistered(curatorOf(chain), payee),
    openCalls: (chain, sale, allowance) => encodeOpenCalls(configOf(chain), sale, allowance),
    openForCalls: (chain, sale, depositor) => encodeOpenForCalls(configOf(chain), sale, depositor),
    findSale: decodeSale,
    hasOpened: hasOpenedSale,
    async readDeposit({ client }, { escrow, depositId, depositor }) {
      const read = { address: escrow, abi: peerEscrowAbi, args: [depositId] } as const
      const [deposit, [, reclaimable]] = await Promise.all([
        client.readContract({ ...read, functionName: 'getDeposit' }),
        client.readContract({ ...read, functionName: 'getExpiredIntents' }),
      ]).catch((cause: unknown) => {
        throw serverBusy('The chain cannot be asked now; try again in a moment', { cause })
      })
      if (deposit.depositor === zeroAddress || !isAddressEqual(deposit.depositor, depositor)) return null
      return {
        token: deposit.token,
        withdrawable: deposit.remainingDeposits + reclaimable,
        free: deposit.remainingDeposits,
        held: deposit.outstandingIntentAmount - reclaimable,
        leastLeft: deposit.acceptingIntents ? deposit.intentAmountRange.min : 0n,
      }
    },
    withdrawCalls: ({ escrow, depositId }, amount) => [
      {
        to: escrow,
        value: 0n,
        data:
          amount === null
            ? encodeFunctionData({ abi: peerEscrowAbi, functionName: 'withdrawDeposit', args: [depositId] })
            : encodeFunctionData({
                abi: peerEscrowAbi,
                functionName: 'removeFunds',
                args: [depositId, amount],
              }),
      },
    ],
  }
}

/** @throws ServiceError `bad-gateway` CASH_OUT_UNAVAILABLE if it is no longer configured. */
function configOf({ config }: Pick<CashOutChain, 'config'>): PeerConfig {
  const { peer } = config.venues
  if (!peer) throw cashOutUnavailable()
  return peer
}

function curatorOf(chain: CashOutChain) {
  const { curatorUrl: url, timeoutMs } = configOf(chain)
  return { url, timeoutMs }
}

const WHOLE = 10_000n

/**
 * Reads the rate of a currency from the escrow's own feed, by the escrow's rules.
 * @throws ServiceError `bad-gateway` CASH_OUT_UNAVAILABLE if the feed has no valid price, or only a stale one;
 * `unavailable` when the chain does not answer.
 */
async function readPeerRate(
  { client }: Pick<CashOutChain, 'client'>,
  { rates, maxRateAgeSeconds, rateToleranceBps }: PeerConfig,
  currency: string,
): Promise<CashOutRate> {
  const feed = rates.find((one) => one.currency === currency)
  if (!feed) throw cashOutUnavailable()
  const [block, [isValid, market, updatedAt]] = await Promise.all([
    client.getBlock(),
    client.readContract({
      address: feed.adapter,
      abi: rateAdapterAbi,
      functionName: 'getRate',
      args: [feed.adapterConfig],
    }),
  ]).catch((cause: unknown) => {
    throw serverBusy('The chain cannot be asked now; try again in a moment', { cause })
  })
  const rate = (market * (WHOLE + BigInt(feed.spreadBps))) / WHOLE
  const minimumRate = (rate * (WHOLE - BigInt(rateToleranceBps))) / WHOLE
  const isFresh = block.timestamp <= updatedAt + BigInt(maxRateAgeSeconds)
  if (!isValid || !isFresh || minimumRate <= 0n) throw cashOutUnavailable()
  return { rate, minimumRate }
}
