import type { Plan } from 'stealth-relay/client/recovery'
import type { Address } from 'viem'

/** A place to which moves of a plan go. */
export interface Target {
  address: Address
  from: Address[]
  chainIds: number[]
}

/** Lists the places to which a plan sends. */
export function listTargets({ moves }: Plan): Target[] {
  const leaving = moves.filter(({ kind }) => ['token', 'collectible', 'coin'].includes(kind))
  return [...new Set(leaving.map(({ to }) => to))].map((address) => {
    const own = leaving.filter(({ to }) => to === address)
    return {
      address,
      from: [...new Set(own.map(({ from }) => from.address))],
      chainIds: [...new Set(own.map(({ chainId }) => chainId))],
    }
  })
}
