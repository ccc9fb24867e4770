import { getAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import {
  demandDestination,
  findDestination,
  readDestinations,
} from '../../../gateway/recovery/destinations.ts'

const at = (digits: string) => getAddress(`0x${digits.repeat(20)}`)
const place = (chainId: number, address: Address) => ({ chainId, owner: { address } })

it('an own address counts before its chain, the chain before everything else', () => {
  const [all, ofChain, ofOwner, own] = [at('11'), at('22'), at('33'), at('ab')]
  const read = readDestinations([all, `10:${ofChain}`, `${own.toLowerCase()}:${ofOwner}`])
  expect(findDestination(read, place(1, at('cd')))).toBe(all)
  expect(findDestination(read, place(10, at('cd')))).toBe(ofChain)
  expect(findDestination(read, place(10, own))).toBe(ofOwner)
})

it('nothing goes to a place that nobody named', () => {
  const read = readDestinations([`10:${at('22')}`])
  expect(findDestination(read, place(1, at('cd')))).toBeNull()
  expect(() => demandDestination(read, place(1, at('cd')))).toThrow('stays: no --to says where it goes')
  for (const wrong of ['0x12', `ten:${at('22')}`, `10:${at('22')}1`, ''])
    expect(() => readDestinations([wrong]), wrong).toThrow('is no destination')
})
