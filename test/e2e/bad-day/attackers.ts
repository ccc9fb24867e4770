import { once } from 'node:events'
import { askNode } from '../../harness/ask-node.ts'
import { describeCall } from '../../relayer/chain/indexer/chain-calls.ts'
import { deployHostileToken, type HostileToken } from '../../relayer/chain/indexer/hostile-token.ts'
import { burnByRelays, type Thief } from './burn-gas.ts'
import { startCrowd, type FreeCrowd } from './crowd.ts'
import { keepOn, note, type Field } from './field.ts'

/** One of many of its kind. */
type Attacker = (field: Field, place: number) => Promise<void>

export interface Crowd extends Pick<FreeCrowd, 'accounts' | 'roundMs' | 'readers'> {
  /** Accounts that pay contracts which burn gas; as many call them as an app. */
  thieves: number
  /** Clients that withdraw notes to such contracts. */
  relays: number
}

/** Of a chain, made in blocks of their own. */
export async function deployHostileTokens(node: string): Promise<readonly HostileToken[]> {
  const world = {
    ask: <Result>(method: string, ...params: unknown[]) => askNode<Result>(node, method, ...params),
  }
  return [
    await deployHostileToken(world, { word: 2n ** 256n - 1n }),
    await deployHostileToken(world, { word: 10n ** 30n, size: 700_000 }),
  ]
}

/** Logs transfers of such tokens to everybody. */
const dropTokens: Attacker = (field, place) =>
  keepOn(field, 'hostile drops', async () => {
    const victims = field.victims()
    if (victims.length === 0) return
    for (const token of field.hostileTokens[place]!) {
      const drop = describeCall(token.drop(victims.slice(-5), 10n ** 30n))
      await askNode(field.nodes[place]!, 'eth_sendTransaction', drop)
    }
  })

/** Lets them all come; ends with the field's signal. */
export async function attack(field: Field, crowd: Crowd, thieves: readonly Thief[]): Promise<void> {
  const { relays, thieves: _, ...free } = crowd
  const endCrowd = startCrowd({ urls: field.urls, chainId: field.payer.chain.chainId, ...free })
  const many = (count: number, attacker: Attacker) =>
    Array.from({ length: count }, (_, place) =>
      attacker(field, place).catch((error: unknown) => note(field, `gave up: ${String(error).slice(0, 80)}`)),
    )
  await Promise.all([
    ...many(thieves.length, (_, place) => thieves[place]!.burn(field)),
    ...many(relays, (_, place) => burnByRelays(field, place, relays)),
    ...many(field.nodes.length, dropTokens),
    once(field.signal, 'abort'),
  ])
  Object.assign(field.counts, await endCrowd())
}
