import { parseEther, parseUnits, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { followAccount } from '../../../../schema/client/account/follow-account.ts'
import { openNewClient, type Client } from '../../../../schema/client/account/open-client.ts'
import {
  verifyCollectible,
  withdrawCollectible,
} from '../../../../schema/client/quotes/withdraw-collectible.ts'
import { waitUntilEqual } from './compare-balances.ts'
import { DemoError } from './demo-error.ts'
import { formatMoney } from './format-money.ts'
import { openPayer } from './open-payer.ts'
import type { DemoWorld } from './open-world.ts'

const PATIENCE_MS = 20_000
const ETHER = { symbol: 'ETH', decimals: 18 }

interface Activity {
  kind: string
  txHash: string
  /** The main transfer; null when nothing moved. */
  amount: string | null
  to: Address | null
  /** Null for a collectible. */
  token: { symbol: string; decimals: number } | null
}
interface Activities {
  viewer: { account: { activities: { nodes: Activity[] } } }
}
const ACTIVITIES = `{ viewer { account { activities(first: 10) {
  nodes { kind txHash amount to token { symbol decimals } }
} } } }`

/** An account is paid at three addresses that have nothing in common, and reads its balance. */
export async function playAccounts({ url, domain, chain, chains, keys, terminal }: DemoWorld): Promise<void> {
  terminal.heading('Accounts', 'paid at addresses that nobody but the service can connect')
  const payer = openPayer(chain, keys.payer)
  const dollar = chain.tokens.find(({ decimals }) => decimals === 6)
  if (!dollar) throw new DemoError('The devnet lacks a token of 6 decimals')
  const ether = parseEther('1.250000000000000001')
  const dollars = parseUnits('1234.56', dollar.decimals)

  const client = await terminal.step('A signs in with its spending key and creates an account', () =>
    openNewClient({ url, domain, chains }),
  )
  terminal.detail('account', client.accountId)
  const received = await terminal.step('three one-time addresses to be paid at', async () => [
    await client.receive(),
    await client.receive(),
    await client.receive(),
  ])
  for (const { nonce, address } of received) terminal.detail(`number ${nonce}`, address)
  if (received.some(({ nonce, address }) => client.controlOf(nonce).address !== address))
    throw new DemoError('The service made addresses that the keys of the account do not control')
  const [first, second, third] = received.map(({ address }) => address) as [Address, Address, Address]

  const paid = [
    await terminal.step(`somebody pays ${formatMoney(ether, ETHER)} to the first`, () =>
      payer.payNative(first, ether),
    ),
    await terminal.step(`somebody pays ${formatMoney(dollars, dollar)} to the second`, () =>
      payer.payToken(dollar.address, second, dollars),
    ),
    await terminal.step('somebody gives a collectible to the third', () =>
      payer.giveCollectible(third, randomId()),
    ),
  ]
  const balances = await terminal.step('the service has seen it, and agrees with the chain to the wei', () =>
    waitUntilEqual(client, { ...chain, reader: payer.reader }, [zeroAddress, dollar.address]),
  )
  for (const { tokenSymbol, decimals, available, usdAmount } of balances) {
    const money = formatMoney(BigInt(available), { symbol: tokenSymbol, decimals })
    terminal.detail(
      'balance',
      usdAmount === null ? money : `${money}, worth $${Number(usdAmount).toFixed(2)}`,
    )
  }
  await showActivity(client, paid, terminal)
  await sendCollectible(
    client,
    { chainId: chain.chainId, contract: chain.collectible, address: third },
    terminal,
  )
  terminal.note(
    'Only A can spend this: the keys of these addresses come from its spending key, which never left it.',
  )
}

/** While A holds the collectible it pays no service fees; it sends it away for nothing. */
async function sendCollectible(
  client: Client,
  { chainId, contract, address }: { chainId: number; contract: Address; address: Address },
  terminal: DemoWorld['terminal'],
): Promise<void> {
  const { active, deposits } = await terminal.step(
    'its contract confirms the collectible to the service',
    () => verifyCollectible(client),
  )
  const held = deposits.find(({ depositAddress }) => depositAddress === address)
  if (!active || !held) throw new DemoError('The service did not record the collectible')
  terminal.detail('service fees', 'waived while A holds it')
  const recipient = privateKeyToAddress(generatePrivateKey())
  const collectible = { chainId, contract, ...held, recipient, step: terminal.step }
  await withdrawCollectible(client, collectible)
  terminal.detail('collectible', `sent to ${recipient} without a fee`)
}

async function showActivity(
  client: Client,
  paid: readonly string[],
  terminal: DemoWorld['terminal'],
): Promise<void> {
  const activity = await terminal.step('what happened, as A is told', async () => {
    let told: Activity[] = []
    // The last payment may be in a block that the service has not read yet: it then says when it has.
    const patience = AbortSignal.timeout(PATIENCE_MS)
    try {
      for await (const _ of followAccount(client, patience)) {
        told = (await client.graphql<Activities>(ACTIVITIES)).viewer.account.activities.nodes
        if (paid.every((hash) => told.some(({ txHash }) => txHash === hash))) break
      }
    } catch (error) {
      if (!patience.aborted) throw error
    }
    return told
  })
  const missing = paid.filter((hash) => !activity.some(({ txHash }) => txHash === hash))
  if (missing.length > 0) throw new DemoError(`The activity lacks the payments ${missing.join(', ')}`)
  for (const { kind, amount, token, to } of activity)
    if (to !== null)
      terminal.detail(
        kind.toLowerCase(),
        `${token ? formatMoney(BigInt(amount ?? 0), token) : 'a collectible'} at ${to}`,
      )
}

const randomId = () => crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n
