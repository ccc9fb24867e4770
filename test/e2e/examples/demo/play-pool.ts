import { parseUnits, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { startProver, type Prover } from '../../../devnet/wallet/prover.ts'
import { checkConversion } from '../../../../schema/client/pool/check-conversion.ts'
import { openNewClient, type Client } from '../../../../schema/client/account/open-client.ts'
import { askConversion, convert } from '../../../../schema/client/pool/convert.ts'
import { createPoolView, type PoolView } from '../../../../schema/client/pool/pool-state.ts'
import { readPool } from '../../../../schema/client/pool/read-pool.ts'
import { recover } from '../../../../schema/client/pool/recover.ts'
import { signAndSubmit } from '../../../../schema/client/quotes/send.ts'
import { spendBlindly } from '../../../../schema/client/pool/spend-blindly.ts'
import { spendTold } from '../../../../schema/client/pool/spend-told.ts'
import { waitForNotes } from '../../../../schema/client/pool/wait-for-notes.ts'
import { waitUntilEqual } from './compare-balances.ts'
import { DemoError } from './demo-error.ts'
import { formatMoney } from './format-money.ts'
import { openPayer, type Payer } from './open-payer.ts'
import type { DemoWorld } from './open-world.ts'
import { tellAspToDecline } from './tell-asp.ts'

/** An account in a pool: only its wallet can find its notes. */
interface Story {
  world: DemoWorld
  payer: Payer
  prover: Prover
  client: Client
  view: PoolView
  money: (amount: bigint) => string
  units: (amount: string) => bigint
}

/** An account's funds go into privacy pools, are spent from there, and come back when they are declined. */
export async function playPool(world: DemoWorld): Promise<void> {
  const { chain, keys, terminal } = world
  terminal.heading('Pool', 'notes that the wallet derives from its keys, and spends without telling anybody')
  const payer = openPayer(chain, keys.payer)
  const dollar = chain.pools.find(({ decimals }) => decimals === 6)
  const coin = chain.pools[0]
  if (!dollar || !coin) throw new DemoError('The devnet lacks a native or a 6-decimals pool')
  const prover = startProver()
  try {
    await spendPrivately(await openStory(world, { payer, prover, token: zeroAddress, pool: coin }))
    const story = await openStory(world, { payer, prover, token: dollar.asset, pool: dollar })
    await spendTelling(story)
    await takeBack(story)
  } finally {
    await prover.close()
  }
}

async function openStory(
  world: DemoWorld,
  {
    payer,
    prover,
    token,
    pool,
  }: Pick<Story, 'payer' | 'prover'> & { token: Address; pool: { symbol: string; decimals: number } },
): Promise<Story> {
  const { url, domain, chain, chains, terminal } = world
  const client = await terminal.step('A signs in and creates an account', () =>
    openNewClient({ url, domain, chains }),
  )
  const known = await readPool(payer.reader, { ...chain, token })
  return {
    world,
    payer,
    prover,
    client,
    view: createPoolView(client, known, payer.reader),
    money: (amount) => formatMoney(amount, pool),
    units: (amount) => parseUnits(amount, pool.decimals),
  }
}

async function bePaid({ world, payer, client, view, money }: Story, amount: bigint): Promise<void> {
  const { address } = await client.receive()
  const { token } = view.pool
  await world.terminal.step(`somebody pays A ${money(amount)}`, async () => {
    await (token === zeroAddress ? payer.payNative(address, amount) : payer.payToken(token, address, amount))
    await waitUntilEqual(client, { ...world.chain, reader: payer.reader }, [token])
  })
}

async function spendPrivately(story: Story): Promise<void> {
  const { world, payer, prover, client, view, money, units } = story
  const { terminal } = world
  await bePaid(story, units('2'))
  const { quote } = await convert(client, {
    view,
    amount: units('1'),
    maxFee: units('0.1'),
    step: terminal.step,
  })
  terminal.detail('note', `${money(units('1'))}, fees ${money(BigInt(quote.fees.total))}`)
  await terminal.step('wait until the association set provider approves it', () =>
    waitForNotes(client, view, (notes) => notes.some(({ isApproved }) => isApproved)),
  )

  const recipient = privateKeyToAddress(generatePrivateKey())
  await spendBlindly(client, {
    view,
    amount: units('0.4'),
    recipient,
    maxFee: units('0.1'),
    prover,
    step: terminal.step,
  })
  terminal.detail(
    'arrived',
    `${money(await payer.reader.getBalance({ address: recipient }))} at ${recipient}`,
  )
  const [change] = await terminal.step('find the change, by the keys and the pool alone', () =>
    waitForNotes(client, view, ([first]) => first?.withdrawalIndex === 1),
  )
  terminal.detail('change', money(change?.value ?? 0n))
  terminal.note('The service was not told: it still believes that the note is whole.')
}

async function spendTelling(story: Story): Promise<void> {
  const { world, payer, prover, client, view, money, units } = story
  const { terminal } = world
  await bePaid(story, units('500'))
  await convert(client, { view, amount: units('400'), maxFee: units('20'), step: terminal.step })
  await terminal.step('wait until the association set provider approves it', () =>
    waitForNotes(client, view, (notes) => notes.some(({ aspStatus }) => aspStatus === 'approved')),
  )
  const told = {
    view,
    amount: units('150'),
    maxFee: units('20'),
    prover,
    spacingMs: 1_000,
    step: terminal.step,
  }
  const recipient = privateKeyToAddress(generatePrivateKey())
  const { quote } = await spendTold(client, { ...told, recipient })
  for (const { kind } of quote.privacyCaveats) terminal.detail('beware', CAVEATS[kind] ?? kind)
  terminal.detail('crowd', `${quote.crowd} approved deposits of that size`)
  terminal.detail('paid', `${money(await payer.readToken(view.pool.token, recipient))} to ${recipient}`)

  const { quote: own } = await spendTold(client, { ...told, recipient: null })
  const [withdrawal] = own.withdrawals
  if (!withdrawal?.recipient) throw new DemoError('The quote names no address of the account')
  const got = await payer.readToken(view.pool.token, withdrawal.recipient)
  terminal.detail('to oneself', `${money(got)} at ${withdrawal.recipient}`)
  terminal.note(
    'The service knows which note paid, and has locked it meanwhile. It was not told whom A paid.',
  )
}

const CAVEATS: Readonly<Record<string, string>> = {
  equal_amount: 'as much leaves as a deposit was worth',
  soon: 'the deposit is young, or few followed it',
  small_crowd: 'few deposits could be the source',
  strands_change: 'what is left is too little for a relay',
  several_notes: 'several withdrawals pay together',
  deep_chain: 'some wallets do not find a change so far from its deposit',
}

async function takeBack(story: Story): Promise<void> {
  const { world, prover, client, view, money, units } = story
  const { terminal, aspUrl } = world
  await bePaid(story, units('500'))
  const asked = { view, amount: units('200'), maxFee: units('20') }
  const { quote, approved } = await terminal.step('ask for a quote, and check every call of it', async () => {
    const quote = await askConversion(client, asked)
    return { quote, approved: await checkConversion(client, quote, asked) }
  })
  const [deposit] = quote.deposits
  if (!deposit) throw new DemoError('The quote has no deposit')
  await terminal.step('the association set provider decides to decline it', () =>
    tellAspToDecline(aspUrl, deposit.address),
  )
  await signAndSubmit(client, approved, terminal.step)
  const isDeclined = ({ aspStatus }: { aspStatus: string }) => aspStatus === 'declined'
  const notes = await terminal.step('wait until it has been declined', () =>
    waitForNotes(client, view, (found) => found.some(isDeclined)),
  )
  const note = notes.find(isDeclined)
  if (!note) throw new DemoError('The note is missing')
  const { quote: back } = await recover(client, {
    pool: view.pool,
    note,
    maxFee: units('20'),
    prover,
    step: terminal.step,
  })
  terminal.detail('came back', `${money(BigInt(back.expectedOutput))} at ${back.outputRecipient}`)
  await terminal.step('the balances are the chain’s, to the wei', () =>
    waitUntilEqual(client, { ...world.chain, reader: story.payer.reader }, [view.pool.token]),
  )
  terminal.note('In the open: the chain shows which deposit was taken back, and nothing else of A.')
}
