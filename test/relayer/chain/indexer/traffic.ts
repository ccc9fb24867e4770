import { parseEther, type Address } from 'viem'
import {
  giveCollectible,
  mintCollectible,
  mintMulti,
  pay,
  payInside,
  payToken,
  rich,
  unwrap,
  wrap,
} from './calls.ts'
import { contracts, type Call } from './chain-calls.ts'
import { type IndexWorld } from './start-index-world.ts'

/** Makes blocks with all kinds of events for addresses; the same seed makes the same blocks. */
export interface Traffic {
  /** Mines this many blocks. */
  run(blocks: number): Promise<void>
  /** Calls that may replace others after a reorg. */
  invent(count: number): Call[]
  /** Ids of all collectibles that may have been minted. */
  ids(): bigint[]
}

export function createTraffic(world: IndexWorld, own: readonly Address[], seed = 1): Traffic {
  let state = seed
  let nextId = 1n
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item

  /** Some calls fail on chain, because balances are not checked; such transactions occur in reality too. */
  function invent(): Call {
    const [one, other, payer] = [pick(own), pick(own), pick(rich)]
    const amount = BigInt(draw(1_000) + 1)
    switch (draw(10)) {
      case 0:
      case 1:
        return pay(one, parseEther('0.5') + amount, payer)
      case 2:
        return pay(other, amount, one)
      case 3:
        return payInside(one, parseEther('0.1') + amount, payer)
      case 4:
        return payToken(pick(contracts.tokens), one, amount * 1_000n, payer)
      case 5:
        return payToken(pick(contracts.tokens), other, amount, one)
      case 6:
        return wrap(amount, one)
      case 7:
        return unwrap(amount / 2n, one)
      case 8:
        return mintMulti(one, [1n, 2n], [amount, 1n])
      default: {
        if (nextId > 3n && draw(2) === 0) return giveCollectible(one, other, BigInt(draw(Number(nextId)) + 1))
        nextId += 1n
        return mintCollectible(one, nextId)
      }
    }
  }
  const many = (count: number) => Array.from({ length: count }, invent)

  return {
    async run(blocks) {
      for (let block = 0; block < blocks; block += 1) await world.mineWhatGoes(...many(draw(6)))
    },
    invent: many,
    ids: () => Array.from({ length: Number(nextId) }, (_, index) => BigInt(index + 1)),
  }
}
