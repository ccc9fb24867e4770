import fc from 'fast-check'
import type { step } from '../../../../relayer/chain/broadcast/nonce-machine.ts'
import { NonceWorld } from './nonce-world.ts'

/**
 * Walks the nonce machine: whatever nodes, chain and instances do, every rule holds at each step, and all work ends
 * once they recover.
 * @throws Error with the shortest walk that breaks a rule.
 */
export function walkNonces(runs: number, steps: number, decide?: typeof step): void {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: steps, maxLength: steps, size: 'max' }), (tape) => {
      let place = 0
      const choose = (options: number) => (tape[place++ % tape.length]! + place) % options
      const world = new NonceWorld(choose, decide)
      while (place < tape.length) world.happen()
      world.recover()
      const open = world.works.filter(
        ({ status }) => !['confirmed', 'reverted', 'abandoned'].includes(status),
      )
      if (open.length > 0) throw new Error(`${open[0]!.name} is ${open[0]!.status} for ever`)
      if (world.next !== world.chain.length)
        throw new Error(`${world.next} nonces were handed out, ${world.chain.length} were used`)
    }),
    // A walk that breaks a rule on purpose need not be the shortest.
    { numRuns: runs, endOnFailure: decide !== undefined },
  )
}
