import { encodeFunctionData, erc20Abi, erc721Abi, parseAbi, type Address } from 'viem'
import { accounts, contracts, type Call } from './chain-calls.ts'

const multicallAbi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3Value[] calls) payable',
])
const wrappedAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)'])
const mintAbi = parseAbi(['function mint(address to, uint256 id)'])
const multiTokenAbi = parseAbi([
  'function mint(address to, uint256 id, uint256 amount)',
  'function mintBatch(address to, uint256[] ids, uint256[] amounts)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
])

/** Accounts with coins and test tokens. */
export const rich = accounts.clients.map(({ address }) => address)
const [richest = '0x'] = rich

export const pay = (to: Address, value: bigint, from: Address = richest): Call => ({ from, to, value })

export const payToken = (token: Address, to: Address, amount: bigint, from: Address = richest): Call => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})

/** Pays coins from inside a call, next to a call that fails and returns its coins. */
export function payInside(to: Address, value: bigint, from: Address = richest): Call {
  const calls = [
    { target: to, allowFailure: false, value, callData: '0x' as const },
    { target: contracts.tokens[0], allowFailure: true, value: 1n, callData: '0x' as const },
  ]
  return {
    from,
    to: contracts.multicall,
    value: value + 1n,
    data: encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3Value', args: [calls] }),
  }
}

export const wrap = (value: bigint, from: Address): Call => ({
  from,
  to: contracts.wrappedNative,
  value,
  data: encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' }),
})

export const unwrap = (amount: bigint, from: Address): Call => ({
  from,
  to: contracts.wrappedNative,
  data: encodeFunctionData({ abi: wrappedAbi, functionName: 'withdraw', args: [amount] }),
})

export const mintCollectible = (to: Address, id: bigint): Call => ({
  from: richest,
  to: contracts.collectible,
  data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [to, id] }),
})

export const giveCollectible = (from: Address, to: Address, id: bigint): Call => ({
  from,
  to: contracts.collectible,
  data: encodeFunctionData({ abi: erc721Abi, functionName: 'transferFrom', args: [from, to, id] }),
})

export const mintMulti = (to: Address, ids: readonly bigint[], amounts: readonly bigint[]): Call => ({
  from: richest,
  to: contracts.multiToken,
  data: encodeFunctionData({ abi: multiTokenAbi, functionName: 'mintBatch', args: [to, ids, amounts] }),
})

export const giveMulti = (from: Address, to: Address, id: bigint, amount: bigint): Call => ({
  from,
  to: contracts.multiToken,
  data: encodeFunctionData({
    abi: multiTokenAbi,
    functionName: 'safeTransferFrom',
    args: [from, to, id, amount, '0x'],
  }),
})
