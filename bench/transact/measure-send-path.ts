/** `npm run measure:send`: the own files that run in the service's process for one send, from its quote to confirmed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { readDescription } from '../../test/devnet/devnet-description.ts'
import { createServiceProcess, VECTOR_DEVNET } from '../../test/harness/service-process.ts'
import { send } from '../../schema/client/quotes/send.ts'
import { exitProcess } from '../../relayer/concurrency/run-contained.ts'
import { openFundedClient } from './funded-accounts.ts'

const DATA_DIR = await mkdtemp(join(tmpdir(), 'send-path-'))
const RECORD_CALLS = join(DATA_DIR, 'calls.json')
const CONFIG = join(DATA_DIR, 'config.json')
const NODE_OPTIONS = `--import ${new URL('record-calls.ts', import.meta.url).href}`
/** The last blocks of a send are indexed within this time. */
const SETTLE_MS = 3_000

await writeFile(CONFIG, JSON.stringify({ http: { trustedProxies: 1 } }))
const { DEVNET_DETERMINISTIC: _, ...devnet } = VECTOR_DEVNET
const service = await createServiceProcess({ ...devnet, DATA_DIR, CONFIG, RECORD_CALLS, NODE_OPTIONS })
try {
  await service.start()
  const [chain] = (await readDescription(DATA_DIR)).chains
  const token = chain?.tokens[0]?.address
  if (!chain || !token) throw new Error('The devnet has no token')
  const client = await openFundedClient(service.url, chain, token, 3)
  const { chainId } = chain
  const order = { chainId, token, amount: 20_000_000n, maxFee: 3_000_000n, maxAddresses: 3 }
  const sendOnce = () => send(client, { ...order, destination: privateKeyToAddress(generatePrivateKey()) })
  // The first one also fills caches.
  await sendOnce()
  await sleep(SETTLE_MS)
  const started = Date.now()
  await takeCalls()
  await sendOnce()
  const sent = await takeCalls()
  const took = Date.now() - started
  await sleep(SETTLE_MS)
  await takeCalls()
  await sleep(took)
  const idle = new Set(await takeCalls())
  for (const file of sent) console.log(`${idle.has(file) ? 'also idle' : '         '}  ${file}`)
  const own = sent.filter((file) => !idle.has(file)).length
  console.log(
    `\n${sent.length} files ran in ${took} ms; ${own} of them do not run in an idle service in that time.`,
  )
} finally {
  await service.stop()
  await rm(DATA_DIR, { recursive: true, force: true })
}
exitProcess(0)

/** Own files with a function that ran since the last call. */
async function takeCalls(): Promise<string[]> {
  await rm(RECORD_CALLS, { force: true })
  service.signal('SIGUSR2')
  for (;;) {
    const written = await readFile(RECORD_CALLS, 'utf8').catch(() => null)
    if (written) return JSON.parse(written) as string[]
    await sleep(20)
  }
}
