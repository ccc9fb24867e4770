import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { ProofWithSignals } from '../../../../relayer/devnet/wallet/prover.ts'
import type { Withdrawal } from '../../../../relayer/pools/formulas.ts'
import { DemoError } from './demo-error.ts'

const POLL_MS = 250
const CONFIRMATION_TIMEOUT_MS = 120_000

const decimal = z.string().regex(/^\d+$/)
const hex = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'))
const details = z.object({
  feeBPS: decimal,
  feeReceiverAddress: hex,
  minWithdrawAmount: decimal,
  maxGasPrice: decimal,
})
const feeCommitment = z.looseObject({ expiration: z.number(), withdrawalData: hex })
const gasCost = z.object({ gas: decimal, eth: decimal })
const quote = z.object({
  feeBPS: decimal,
  gasPrice: decimal,
  feeCommitment,
  detail: z.object({ relayTxCost: gasCost, extraGasFundAmount: gasCost.optional() }),
})
const answer = z.object({
  success: z.boolean(),
  requestId: z.string(),
  txHash: hex.optional(),
  error: z.string().optional(),
})
const progress = z.object({ status: z.string(), txHash: hex.optional(), error: z.string().optional() })

export type RelayerQuote = z.output<typeof quote>

/** What a relayer is asked to do, in the words of its API. */
export interface RelayBody extends ProofWithSignals {
  withdrawal: Withdrawal
  scope: string
  chainId: number
  feeCommitment: RelayerQuote['feeCommitment']
}

/** The relayer's HTTP API, as a client outside sees it. */
export interface RelayerClient {
  details(query: { chainId: number; assetAddress: Address }): Promise<z.output<typeof details>>
  quote(body: {
    chainId: number
    amount: string
    asset: Address
    recipient: Address
    extraGas: boolean
  }): Promise<RelayerQuote>
  /** @throws DemoError with the relayer's own words where it refuses. */
  request(body: RelayBody): Promise<z.output<typeof answer>>
  /** Asks until the request has come to its end. @throws DemoError where that is a failure. */
  waitUntilConfirmed(requestId: string, onStatus: (status: string) => void): Promise<{ txHash: Hex }>
}

export function createRelayerClient(baseUrl: string): RelayerClient {
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const response = await fetch(`${baseUrl}${path}`, body === undefined ? {} : post).catch(
      (cause: unknown) => {
        throw new DemoError(
          `Nothing answers at ${baseUrl}. Start the service with \`npm start\` in another terminal, wait until it says ` +
            'where it relays, and run `npm run demo` again, with the same PORT and DATA_DIR if you set them.',
          { cause },
        )
      },
    )
    const text = await response.text()
    if (!response.ok) throw new DemoError(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }

  return {
    details: async ({ chainId, assetAddress }) =>
      details.parse(await ask(`/relayer/details?chainId=${chainId}&assetAddress=${assetAddress}`)),
    quote: async (body) => quote.parse(await ask('/relayer/quote', body)),
    async request(body) {
      const answered = answer.parse(await ask('/relayer/request', body))
      if (!answered.success) throw new DemoError(`the relayer refused the withdrawal: ${answered.error}`)
      return answered
    },
    async waitUntilConfirmed(requestId, onStatus) {
      const deadline = performance.now() + CONFIRMATION_TIMEOUT_MS
      for (;;) {
        const { status, txHash, error } = progress.parse(await ask(`/relayer/request/${requestId}`))
        onStatus(status)
        if (status === 'failed') throw new DemoError(`the withdrawal failed: ${error}`)
        if (status === 'confirmed' && txHash) return { txHash }
        if (performance.now() > deadline) {
          throw new DemoError(
            `The withdrawal is still ${status}; see what becomes of it at ${baseUrl}/relayer/request/${requestId}`,
          )
        }
        await sleep(POLL_MS)
      }
    },
  }
}
