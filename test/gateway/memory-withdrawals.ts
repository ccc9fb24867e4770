import { NO_GAS } from '../../relayer/chain/unpaid-gas/budget-rules.ts'
import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import { chainRefused } from '../../relayer/pool/relay/refusals.ts'
import type {
  RelayRequest,
  RequestProgress,
  Withdrawals,
  WithdrawalsOverview,
} from '../../relayer/pool/relay/withdrawals.ts'
import { quoteAnswer } from './sample-withdrawal.ts'
import { chainNotSupported } from '../../relayer/chain/errors.ts'

/** An in-memory relayer of one pool that accepts every proof and sends nothing, for tests of the gateway without a chain. */
export interface MemoryWithdrawals extends Withdrawals {
  /** Advances a request and notifies its subscribers. */
  advance(requestId: string, change: Partial<RequestProgress>): void
  received: { body: RelayRequest; clientAddress: string; signal: AbortSignal }[]
  subscribers(): number
  /** Runs before every call; throw or wait here. */
  before: () => Promise<void>
}

export const TX_HASH = `0x${'ab'.repeat(32)}` as const

export function createMemoryWithdrawals(): MemoryWithdrawals {
  const progress = new Map<string, RequestProgress>()
  const listeners = new Set<(changed: RequestProgress) => void>()
  const requestOfNote = new Map<string, string>()
  const demandChain = (chainId: number) => {
    if (chainId !== 1) throw chainNotSupported('Chain not served')
  }

  const service: MemoryWithdrawals = {
    received: [],
    before: async () => {},
    subscribers: () => listeners.size,
    async details({ chainId, asset }) {
      await service.before()
      demandChain(chainId)
      return {
        chainId,
        assetAddress: asset,
        feeBps: 10n,
        feeReceiverAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
        minWithdrawAmount: 10n ** 16n,
        maxGasPrice: 50_000_000_000n,
      }
    },
    async quote({ chainId }) {
      await service.before()
      demandChain(chainId)
      return quoteAnswer
    },
    async terms() {
      return { baseFeeBps: 10n, maxFeeBps: 100n, leastAmount: 10n ** 16n, feeBps: () => 20n }
    },
    async request(body, from) {
      service.received.push({ body, ...from })
      await service.before()
      const timestamp = 1_700_000_000_000
      if (body.chainId !== 1) {
        return {
          success: false,
          timestamp,
          requestId: 'refused',
          error: chainRefused().message,
        }
      }
      const note = body.publicSignals[1] ?? ''
      const requestId = requestOfNote.get(note) ?? `request-${requestOfNote.size + 1}`
      requestOfNote.set(note, requestId)
      progress.set(requestId, {
        requestId,
        chainId: 1,
        status: 'broadcast',
        txHash: TX_HASH,
        error: null,
        updatedAt: timestamp,
      })
      return { success: true, timestamp, requestId, txHash: TX_HASH }
    },
    async status(requestId) {
      await service.before()
      return progress.get(requestId) ?? null
    },
    async *subscribe(of, { signal }) {
      const requestId = 'requestId' in of ? of.requestId : requestOfNote.get(of.nullifierHash)
      const queue: RequestProgress[] = requestId && progress.has(requestId) ? [progress.get(requestId)!] : []
      let wake = () => {}
      const listener = (changed: RequestProgress) => {
        if (changed.requestId === requestId) queue.push(changed)
        wake()
      }
      listeners.add(listener)
      signal.addEventListener('abort', () => wake())
      try {
        while (!signal.aborted) {
          const next = queue.shift()
          if (next) {
            yield next
            if (next.status === 'confirmed' || next.status === 'failed') return
          } else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        listeners.delete(listener)
      }
    },
    advance(requestId, change) {
      const changed = { ...progress.get(requestId)!, ...change }
      progress.set(requestId, changed)
      for (const listener of listeners) listener(changed)
    },
    overview: async () => overview,
  }
  return service
}

const overview: WithdrawalsOverview = {
  chains: [
    {
      chainId: 1,
      name: 'Testnet <one>',
      capabilities: ['receive', 'relay'],
      nativeSymbol: 'ETH',
      head: 1234n,
      headAgeMs: 900,
      headReadAgeMs: 200,
      nodes: [
        {
          name: 'one.example',
          problem: 'behind',
          detail: 'is 64 blocks behind',
          height: 1_170n,
          behind: 64,
          answers: 12,
          errors: 3,
          answerMs: 41.5,
          answeredAt: Date.now(),
          lastError: 'HTTP status 500',
        },
        {
          name: 'two.example',
          problem: null,
          detail: null,
          height: 1_234n,
          behind: 0,
          answers: 90,
          errors: 0,
          answerMs: 8,
          answeredAt: Date.now(),
          lastError: null,
        },
      ],
      baseFee: 1_200_000_000n,
      maxGasPrice: 60_000_000_000n,
      gasPrice: 1_500_000_000n,
      pools: [
        {
          asset: NATIVE_ASSET,
          symbol: 'ETH',
          decimals: 18,
          pool: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
          ready: true,
        },
      ],
      unpaidGas: {
        budget: 10_000_000n,
        lost: { ...NO_GAS, relay: 1_200_000n },
        atRisk: { ...NO_GAS, relay: 600_000n },
        refused: { relay: 4, new: 0, proven: 0, plain_relay: 0, plain_new: 0, plain_proven: 0 },
      },
      pendingTransactions: 2,
      signers: [
        {
          chainId: 1,
          address: '0x54a7ea4391ECA945c18896C62fbEE877AdB4b7de',
          duty: 'relays',
          balance: 2_500_000_000_000_000_000n,
          runway: 812,
          paused: false,
          isLow: false,
          pendingTransactions: 2,
        },
      ],
    },
  ],
  requests: { broadcast: 2, confirmed: 40, failed: 1 },
  refusals: { INVALID_PROOF: 3 },
  proving: { workers: 2, queued: 0, running: 1, verified: 43, batches: 9 },
  crossChecks: { agreed: 0, disagreed: 0, failed: 0 },
  ledger: [
    {
      chainId: 1,
      symbol: 'ETH',
      decimals: 18,
      asset: NATIVE_ASSET,
      relays: 40,
      withdrawn: 40_000_000_000_000_000_000n,
      feeReceived: 100_000_000_000_000_000n,
      gasSpent: 60_000_000_000_000_000n,
      topUpSpent: 0n,
    },
  ],
  lastRelays: [
    {
      requestId: 'request-9',
      chainId: 1,
      symbol: 'ETH',
      decimals: 18,
      withdrawn: 10n ** 18n,
      txHash: TX_HASH,
      status: 'confirmed',
      updatedAt: 1_700_000_000_000,
    },
  ],
}
