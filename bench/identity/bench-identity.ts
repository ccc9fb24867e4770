import { generatePrivateKey } from 'viem/accounts'
import { signIn, type SignedIn } from '../../test/relayer/account/open-account.ts'
import { createWallet } from '../../test/relayer/identity/wallet.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'

const USERS = 40
const STEPS = ['signIn', 'createAccount', 'firstAddress'] as const

/** CPU of the service for the steps of a new user: nonce and sign-in, the account, the first one-time address. */
export async function benchIdentity(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service')
  // Each user has a network address of its own, as the limits count by it.
  const service = await startOwnService({ http: { trustedProxies: 1 } })
  const { readCpu } = service
  const samples = new Map<string, Sample[]>([...STEPS, 'total'].map((name) => [name, []]))
  try {
    for (let round = -1; round < settings.rounds; round += 1) {
      settings.tell(round < 0 ? 'warm-up' : `round ${round + 1} of ${settings.rounds}`)
      const taken = await runRound(service.url, readCpu)
      if (round >= 0) for (const [name, sample] of taken) samples.get(name)?.push(sample)
    }
  } finally {
    await service.stop()
  }
  return [...samples].map(([name, taken]) =>
    summarize({ name: `identity.${name}`, baseline: null, compared: 'cpu' }, taken),
  )
}

async function runRound(url: string, readCpu: () => Promise<number>): Promise<Map<string, Sample>> {
  // The client's computations are not the service's; its keys are made before the clock starts nevertheless.
  const wallets = Array.from({ length: USERS }, () =>
    createWallet(generatePrivateKey(), generatePrivateKey()),
  )
  const owners: { owner: SignedIn; path: string }[] = []
  const taken = new Map<string, Sample>()
  const step = async (name: (typeof STEPS)[number], run: (index: number) => Promise<void>) => {
    const runAll = async () => {
      for (let index = 0; index < USERS; index += 1) await run(index)
    }
    taken.set(name, await takeSample(readCpu, USERS, runAll))
  }
  await step('signIn', async (index) => {
    owners.push({ owner: await signIn(url, wallets[index]), path: '' })
  })
  await step('createAccount', async (index) => {
    const place = owners[index]
    const created = await place?.owner.createAccount()
    if (!place || created?.status !== 201) throw new Error(`no account: ${created?.text}`)
    place.path = `/v1/accounts/${JSON.parse(created.text).accountId}`
  })
  await step('firstAddress', async (index) => {
    const place = owners[index]
    const issued = await place?.owner.send('POST', `${place.path}/payment-address`, {})
    if (issued?.status !== 201) throw new Error(`no address: ${issued?.text}`)
  })
  return taken.set('total', sum([...taken.values()]))
}

function sum(samples: readonly Sample[]): Sample {
  const add = (pick: (sample: Sample) => number | null) =>
    samples.reduce<number | null>((total, sample) => {
      const value = pick(sample)
      return total === null || value === null ? null : total + value
    }, 0)
  return { operations: USERS, cpuMs: add(({ cpuMs }) => cpuMs), wallMs: add(({ wallMs }) => wallMs) ?? 0 }
}
