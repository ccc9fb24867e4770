import { zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { call } from '../../harness/call.ts'
import { relayBody } from '../../harness/relay-requests.ts'
import type { Mode } from '../../relayer/chain/unpaid-gas/create-burners.ts'
import { openWalletSender, type WalletSender } from '../../relayer/transact/submissions/open-wallet-sender.ts'
import { loadRelayVectors } from '../../vectors/load-relay-vectors.ts'
import { keepOn, LEAVES, note, pause, type Field } from './field.ts'

/** How accounts make the service run a contract that burns gas. */
export type BurningQuote = 'send' | 'dapp_call'

/** An account with funds that burns gas. */
export interface Thief {
  burn(field: Field): Promise<void>
}

/** The gas that a day must have lost: each is followed by "burnt" in the counts. */
export const BURNS = ['burning send', 'burning dapp_call', 'burning relay'] as const

/** Notes that they may use; the others are of honest clients. */
export const BURNERS_NOTES = 24

/** No simulation detects the first; the others have to be recognised by the service. */
const MODES: readonly Mode[] = ['flag', 'gasPrice', 'flag', 'baseFee', 'flag', 'origin', 'flag', 'coinbase']
const COIN = 10n ** 15n
/** Each pays for quotes of its own. */
const ADDRESSES = 3
const POLL_MS = 300
/** After this they try again: a quote whose signature a reorg showed to all is open until it expires. */
const END_PATIENCE_MS = 20_000
const ORIGIN = 'https://trap.example'

/** Opens an account of a network of its own, and pays it on the first chain. */
export async function openThief(
  { urls, database, payer }: Pick<Field, 'urls' | 'database' | 'payer'>,
  type: BurningQuote,
  place: number,
): Promise<Thief> {
  const headers = { 'x-forwarded-for': `172.17.${place}.1` }
  const sender = await openWalletSender({ url: urls[0]!, database }, payer, [payer.chain], headers)
  const connect = async () =>
    ((await sender.post('/dapp-addresses', { origin: ORIGIN }, headers)).body as { address: Address }).address
  const receive = async () => (await sender.client.receive()).address
  const addresses =
    type === 'send' ? await Promise.all(Array.from({ length: ADDRESSES }, receive)) : [await connect()]
  await Promise.all(addresses.map((address) => payer.payNative(address, 1_000n * COIN)))
  const termsFor = (contract: Address) =>
    type === 'send'
      ? {
          token: zeroAddress,
          amount: String(COIN),
          destinationAddress: contract,
          acknowledgedContractRecipient: contract,
        }
      : { type, origin: ORIGIN, connectedAddress: addresses[0], calls: [{ to: contract, value: '1' }] }

  return {
    async burn(field) {
      const { burners, mining } = field
      let turn = 0
      await keepOn(field, `burning ${type}`, async () => {
        const contract = privateKeyToAddress(generatePrivateKey())
        await burners.arm(contract, MODES[turn++ % MODES.length]!)
        const quote = await sender.quote(termsFor(contract))
        const signed = await sender.sign(quote)
        const { status, body } = await mining.between(async () => {
          const answer = await sender.post('/submit', signed, headers)
          await burners.setArgument(contract, 1)
          return answer
        })
        if (status !== 200) {
          await sender.post('/unlock', { quoteId: quote.quoteId }, headers)
          throw new Error(codeOf(body, status))
        }
        note(field, `burning ${type}, taken`)
        const end = await endOf(field, () => askEnd(sender, quote.quoteId, headers))
        note(field, `burning ${type}, ${end === 'failed' ? 'burnt' : end}`)
      })
    },
  }
}

const codeOf = (body: unknown, status: number) => (body as { code?: string } | undefined)?.code ?? `${status}`

const askEnd = async (sender: WalletSender, quoteId: string, headers: Record<string, string>) =>
  ((await sender.get(`/relay-status/${quoteId}`, headers)).body as { status?: string } | undefined)?.status

/** How it ended; "open" where the field is left, or patience ends, before. */
async function endOf({ signal }: Field, ask: () => Promise<string | undefined>): Promise<string> {
  const until = performance.now() + END_PATIENCE_MS
  while (!signal.aborted && performance.now() < until) {
    const status = await ask().catch(() => undefined)
    if (status === 'confirmed' || status === 'failed') return status
    await pause(POLL_MS, signal)
  }
  return 'open'
}

/** Withdraws one note after the other to contracts that burn gas: each until it pays, every `step`th of theirs. */
export async function burnByRelays(field: Field, place: number, step: number): Promise<void> {
  for (let at = place; at < BURNERS_NOTES && !field.signal.aborted; at += step) await burnNote(field, at)
}

async function burnNote(field: Field, place: number): Promise<void> {
  const { burners, mining, urls } = field
  const vector = loadRelayVectors().relays[place]!
  const body = await relayBody(vector, { expiration: Date.now() + 3_600_000 })
  const headers = { 'x-forwarded-for': `172.18.${place}.1` }
  let turn = 0
  await keepOn(field, 'burning relay', async () => {
    const url = urls[(place + turn) % urls.length]!
    await burners.arm(vector.recipient, MODES[turn++ % MODES.length]!)
    const { json } = await mining.between(async () => {
      const answer = await call(`${url}/relayer/request`, { method: 'POST', body, headers })
      await burners.setArgument(vector.recipient, 1)
      return answer
    })
    if (json?.['success'] !== true) throw new Error(String(json?.['error'] ?? json?.['code']))
    note(field, 'burning relay, taken')
    const path = `/relayer/request/${String(json['requestId'])}`
    const end = await endOf(
      field,
      async () => (await call(`${url}${path}`, { headers })).json?.['status'] as string,
    )
    note(field, `burning relay, ${end === 'failed' ? 'burnt' : end}`)
    return end === 'confirmed' ? LEAVES : undefined
  })
}
