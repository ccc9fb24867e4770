import { encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { separateSubjects, subjectsOf } from '../../../../relayer/chain/nodes/open-node.ts'

const [one, two, spender] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}` as const)
const codeOf = (address: string) => ({ method: 'eth_getCode', params: [address, 'latest'] })
const allowanceOf = (owner: `0x${string}`) => ({
  method: 'eth_call',
  params: [
    {
      to: `0x${'f'.repeat(40)}`,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender!] }),
    },
    'latest',
  ],
})
const head = { method: 'eth_getBlockByNumber', params: ['latest', false] }

test('a call is about the addresses in its arguments and its sender, not about the contract or an amount', () => {
  expect(subjectsOf(allowanceOf(one!))).toEqual([one!.slice(2), spender!.slice(2)])
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [two!, 10n ** 18n] })
  expect(subjectsOf({ method: 'eth_call', params: [{ from: one, to: spender, data }, 'latest'] })).toEqual([
    one!.slice(2),
    two!.slice(2),
  ])
  expect(subjectsOf(head)).toEqual([])
})

test('questions of one account about different addresses are in different requests, all others travel together', () => {
  const ask = (account: string | null, request: { method: string; params: readonly unknown[] }) => ({
    account,
    request,
  })
  const alices = [ask('alice', codeOf(one!)), ask('alice', allowanceOf(one!)), ask('alice', head)]
  const apart = ask('alice', codeOf(two!))
  const others = [ask('bob', codeOf(two!)), ask(null, codeOf(one!)), ask(null, codeOf(two!))]
  expect(separateSubjects([...alices, apart, ...others])).toEqual([[...alices, ...others], [apart]])
})
