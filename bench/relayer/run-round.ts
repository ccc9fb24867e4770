import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, http, type Hash } from 'viem'
import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import { runConcurrently, type RelayBody } from '../../test/harness/relay-requests.ts'
import { readOwnCpu, takeSample, type ReadCpu } from '../measure/take-sample.ts'
import { openHttpClient, type HttpAnswer } from '../service/open-http-client.ts'
import { readMetrics, readServiceCpu } from '../service/read-metrics.ts'
import type { RelayerSettings } from '../settings.ts'
import { dealNotes } from './deal-notes.ts'
import { floodMeanwhile } from './flood-round.ts'
import { createPlainRelayer, type PlainRelayer } from './relay-plainly.ts'
import type { RelayNote, RelayWorld } from './relay-world.ts'
import type { RelayerTally } from './relayer-tally.ts'
import { spoilBody } from './spoil-body.ts'
import { watchSpent } from './watch-spent.ts'

/** So many that reading the service's figures before and after, some 30 ms of CPU, has no visible effect. */
const QUOTES = 2_000
const DETAILS = 5_000
/** Enough for the compiler to finish, so that the service is like one that has run for a minute. */
const WARM_UP_QUOTES = 4_000
/** For the aftermath of deposits and first withdrawals, which must not be measured. */
const SETTLE_MS = 2_000
const WARM_UP_BAD_PROOFS = 32
const BAD_PROOFS = 64
const LONE_BAD_PROOFS = 16
/** A client other than the measuring one, where this machine has the address: all of 127/8 on Linux. */
const FLOODER = process.platform === 'linux' ? '127.0.0.2' : undefined
const DUPLICATES = 64
/** Milliseconds between the eager baseline's reads of a receipt. */
const EAGER_MS = 50

interface RelayAnswer {
  success?: boolean
  requestId?: string
  txHash?: Hash
  error?: string
}

interface Ready {
  note: RelayNote
  body: RelayBody
  text: string
}

/** Measures all modes once against a world's relayer and records the figures in the tally. */
export async function runRound(
  { url, chains, notes, readCpu }: RelayWorld,
  { concurrency, modes, url: foreign }: RelayerSettings,
  tally: RelayerTally,
  fullName: 'relayer.full' | 'relayer.evm' = 'relayer.full',
): Promise<void> {
  const isOwn = foreign === null
  const client = openHttpClient(url)
  const watch = await watchSpent(chains)
  const serviceCpu = readCpu ?? readServiceCpu(url)
  const share = dealNotes(notes, modes)
  const ready = (list: readonly RelayNote[]) => Promise.all(list.map(prepare))
  const ask = async (text: string) => readAnswer(await client.post('/relayer/request', text))

  /** Runs `atOnce` tasks concurrently, times each, and records one round of the row. */
  async function measure<Item>(
    name: string,
    items: readonly Item[],
    run: (item: Item) => Promise<unknown>,
    { atOnce = concurrency, cpu = serviceCpu }: { atOnce?: number; cpu?: ReadCpu } = {},
  ): Promise<void> {
    if (items.length === 0) return
    let latencies: number[] = []
    const sample = await takeSample(cpu, items.length, async () => {
      latencies = await runConcurrently(items, atOnce, async (item) => {
        const started = performance.now()
        await run(item)
        return performance.now() - started
      })
    })
    tally.add(name, sample, latencies)
  }

  async function relayAll(
    name: string,
    list: readonly Ready[],
    { atOnce = concurrency } = {},
  ): Promise<void> {
    const answers = new Map<Ready, RelayAnswer>()
    const confirmed = new Set<Ready>()
    const confirm = async (item: Ready) => {
      if (await watch.waitFor(item.note.nullifierHash)) confirmed.add(item)
    }
    await measure(
      name,
      list,
      async (item) => {
        const answer = await ask(item.text)
        answers.set(item, answer)
        if (name === fullName && answer.success) await confirm(item)
      },
      { atOnce },
    )
    const accepted = list.filter((item) => answers.get(item)?.success)
    for (const item of accepted) if (!confirmed.has(item)) await confirm(item)
    const reverted = await Promise.all(
      accepted.map((item) => isReverted(item.note, answers.get(item)?.txHash)),
    )
    tally.addRelays(name, {
      notes: list.length,
      accepted: accepted.length,
      confirmed: confirmed.size,
      reverted: reverted.filter(Boolean).length,
    })
    tally.addErrors([...answers.values()].flatMap(({ error }) => error ?? []))
  }

  async function relayPlainly(name: string, list: readonly Ready[], plain: PlainRelayer): Promise<void> {
    for (const { body } of list) await plain.warmUp(body)
    await measure(name, list, ({ body }) => plain.relay(body), { atOnce: 1, cpu: readOwnCpu })
    await plain.close()
  }

  try {
    const chainId = chains[0]?.chainId ?? 0
    const terms = { chainId, amount: '1000000000000000000', asset: NATIVE_ASSET, extraGas: false }
    const quote = JSON.stringify({ ...terms, recipient: chains[0]?.accounts.at(-1)?.address })
    const details = `/relayer/details?chainId=${chainId}&assetAddress=${NATIVE_ASSET}`
    // A foreign relayer gets no more requests for quotes than are measured there.
    if (isOwn || modes.includes('quote')) {
      const warmUp = Array.from({ length: WARM_UP_QUOTES })
      await runConcurrently(warmUp, concurrency, () => client.post('/relayer/quote', quote))
      await runConcurrently(warmUp, concurrency, () => client.get(details))
    }
    await runConcurrently(await ready(share.warmUp), concurrency, async ({ note, text }) => {
      if ((await ask(text)).success) await watch.waitFor(note.nullifierHash)
    })
    await sleep(SETTLE_MS)
    if (modes.includes('quote')) {
      const times = Array.from({ length: DETAILS })
      await measure('relayer.details', times, async () => expectOk(await client.get(details)))
      const quotes = times.slice(0, QUOTES)
      await measure('relayer.quote', quotes, async () => expectOk(await client.post('/relayer/quote', quote)))
    }
    const relayed = await ready(share.request)
    if (fullName === 'relayer.full' && share.plain[0]) {
      const { chain } = share.plain[0]
      const bodies = await ready(share.plain.filter((note) => note.chain === chain))
      const half = Math.ceil(bodies.length / 2)
      await relayPlainly('relayer.plain', bodies.slice(0, half), await createPlainRelayer(chain))
      await relayPlainly('relayer.plainEager', bodies.slice(half), await createPlainRelayer(chain, EAGER_MS))
    }
    if (relayed.length > 0) await relayAll('relayer.request', relayed)
    if (modes.includes('duplicate') && relayed.length > 0) {
      const again = Array.from(
        { length: DUPLICATES },
        (_, index) => relayed[index % relayed.length]?.text ?? '',
      )
      await measure('relayer.duplicate', again, ask)
    }
    const full = await ready(share.full)
    if (full.length > 0) {
      await readMetrics(url) // begins a new window of the event loop's delays
      await relayAll(fullName, full)
      if (fullName === 'relayer.full') tally.addService(await readMetrics(url))
    }
    const [calm, flooded] = [await ready(share.calm), await ready(share.flooded)]
    const [flood] = await ready(share.spare)
    if (calm.length > 0 && flood) {
      const bad = JSON.stringify(spoilBody(flood.body))
      const localAddress = new URL(url).hostname === '127.0.0.1' ? FLOODER : undefined
      const flooder = openHttpClient(url, { localAddress })
      await relayAll('relayer.calm', calm, { atOnce: 1 })
      await floodMeanwhile({
        askBadly: async () => {
          const { success } = readAnswer(await flooder.post('/relayer/request', bad))
          if (success) throw new Error('the relayer accepted a bad proof')
        },
        concurrency,
        meanwhile: () => relayAll('relayer.flooded', flooded, { atOnce: 1 }),
        cpu: serviceCpu,
        tally,
      }).finally(() => flooder.close())
    }
    // Comes last: a client whose proofs failed is verified apart for a while, which would count against the others.
    const [spare] = modes.includes('badproof') ? await ready(share.spare) : []
    if (spare) {
      const bad = Array.from({ length: BAD_PROOFS }, () => JSON.stringify(spoilBody(spare.body)))
      await runConcurrently(bad.slice(0, WARM_UP_BAD_PROOFS), concurrency, ask)
      const refuse = async (text: string) => {
        if ((await ask(text)).success) throw new Error('the relayer accepted a bad proof')
      }
      await measure('relayer.badproofLone', bad.slice(0, LONE_BAD_PROOFS), refuse, { atOnce: 1 })
      await measure('relayer.badproof', bad, refuse)
    }
  } finally {
    client.close()
    await watch.stop()
  }
}

async function prepare(note: RelayNote): Promise<Ready> {
  const body = await note.makeBody()
  return { note, body, text: JSON.stringify(body) }
}

function readAnswer({ status, body }: HttpAnswer): RelayAnswer {
  const answer = JSON.parse(body) as RelayAnswer
  return status === 200 ? answer : { success: false, error: `HTTP ${status}` }
}

function expectOk({ status, body }: HttpAnswer): void {
  if (status !== 200) throw new Error(`the relayer answered ${status}: ${body}`)
}

async function isReverted({ chain }: RelayNote, hash: Hash | undefined): Promise<boolean> {
  if (!hash) return false
  const reader = createPublicClient({ transport: http(chain.rpcUrl) })
  const receipt = await reader.getTransactionReceipt({ hash }).catch(() => null)
  return receipt?.status === 'reverted'
}
