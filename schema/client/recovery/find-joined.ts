// SPDX-License-Identifier: MIT
import type { Address } from 'viem'
import type { Plan } from './plan-moves.ts'

/**
 * Finds the own addresses that anybody can join by the moves of a plan: those that send to one place, or pay each other's
 * fees. Addresses that were joined before are not known here.
 * @returns Groups of two addresses and more, in the order of the plan.
 */
export function findJoined({ moves }: Pick<Plan, 'moves'>): Address[][] {
  const groups = new Map<string, Set<string>>()
  const groupOf = (address: Address) => groups.get(address.toLowerCase()) ?? new Set([address.toLowerCase()])
  for (const { from, to } of moves) {
    const joined = new Set([...groupOf(from.address), ...groupOf(to)])
    for (const member of joined) groups.set(member, joined)
  }
  const own = new Map(
    moves
      .flatMap(({ kind, from, to }) => (kind === 'fees' ? [from.address, to] : [from.address]))
      .map((address) => [address.toLowerCase(), address]),
  )
  return [...new Set(groups.values())]
    .map((group) => [...own].flatMap(([member, address]) => (group.has(member) ? [address] : [])))
    .filter(({ length }) => length > 1)
}
