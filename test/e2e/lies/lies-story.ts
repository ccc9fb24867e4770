import { expect } from 'vitest'
import { canonicalize, type Json } from '../../../schema/client/quotes/verify-quote.ts'
import type { Quote } from '../../../schema/client/quotes/send.ts'
import { listForgeries, withFee } from './forge-orders.ts'
import { HARMLESS } from './harmless.ts'
import type { LiedWallet } from './open-lied-wallet.ts'
import { listCallLies } from './walk-calls.ts'
import { listMemberLies } from './walk-members.ts'

/** The wallet's verdicts on the lies about one kind of quote. */
export interface Told {
  /** Lies for which nothing was signed. */
  refused: string[]
  /** Lies that the wallet signed, and that no entry of {@link HARMLESS} explains. */
  believed: string[]
  /** Lies that an entry explains. */
  harmless: string[]
}

/**
 * Gives the wallet every lie about one kind of quote: forgeries, every part of every call, every member of the answer.
 * @param isLong True for all changes of a member, and harmless ones; else one of each member.
 */
export async function tellLies(wallet: LiedWallet, kind: string, isLong: boolean): Promise<Told> {
  const honest = await readHonest(wallet, kind)
  const told: Told = { refused: [], believed: [], harmless: [] }
  for (const [lie, quote] of listLies(wallet, honest, isLong)) {
    const name = `${kind}: ${lie}`
    const isHarmless = HARMLESS.some(({ lies }) => lies.test(name))
    if (isHarmless && !isLong) continue
    const { isSigned, refusal } = await tell(wallet, kind, () => quote)
    // A lie that the gateway could not answer was not refused by the wallet.
    expect(refusal, name).not.toMatch(/^(?:GET|PUT|POST) \S+: [1-4]/)
    const list = isSigned ? (isHarmless ? told.harmless : told.believed) : told.refused
    list.push(name)
  }
  // The wallet still accepts the honest answer at the end, so it refused the others for their content.
  expect(await tell(wallet, kind, (quote) => quote), kind).toMatchObject({ isSigned: true })
  return told
}

/** The service's own answer, which the wallet would sign. */
async function readHonest(wallet: LiedWallet, kind: string): Promise<Quote> {
  const seen: Quote[] = []
  const { isSigned, refusal } = await tell(wallet, kind, (quote) => (seen.push(quote), quote))
  expect(isSigned, `${kind}: ${refusal}`).toBe(true)
  return seen[0]!
}

function listLies({ thief }: LiedWallet, honest: Quote, isLong: boolean): [string, Quote][] {
  const members = listMemberLies(honest as unknown as Json).map(
    ({ member, change, lie }) => [member, `${member} ${change}`, lie as unknown as Quote] as const,
  )
  const seen = new Set<string>()
  const isNew = (member: string) => !seen.has(member) && Boolean(seen.add(member))
  const chosen = members
    .filter(([member]) => isLong || (!member.includes('.types') && isNew(member)))
    .map(([, name, quote]): [string, Quote] => [name, quote])
  const told = canonicalize(honest as unknown as Json).toLowerCase()
  const isOther = ([, quote]: [string, Quote]) =>
    canonicalize(quote as unknown as Json).toLowerCase() !== told
  if (honest.intents.length === 0) return chosen.filter(isOther)
  const forgeries = Object.entries(listForgeries(thief)).map(([name, lie]): [string, Quote] => [
    name,
    lie(honest),
  ])
  const rest = BigInt(honest.amountIn) - BigInt(honest.fees.total)
  const fees = [rest - 1n, 1n].map((more): [string, Quote] => [
    `takes a fee of ${more} more`,
    withFee(more)(honest),
  ])
  const calls = listCallLies(honest).map(({ change, lie }): [string, Quote] => [change, lie])
  return [...forgeries, ...(honest.fees.total === '0' ? [] : fees), ...calls, ...chosen].filter(isOther)
}

async function tell(
  { liar, witness, kinds }: LiedWallet,
  kind: string,
  lie: (quote: Quote) => Quote,
): Promise<{ isSigned: boolean; refusal: string }> {
  const before = witness.made + liar.believed()
  liar.tell(lie)
  const refusal = await kinds[kind]!().then(
    () => '',
    (error: unknown) => reasonOf(error),
  )
  liar.tell(null)
  return { isSigned: witness.made + liar.believed() > before, refusal }
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}
