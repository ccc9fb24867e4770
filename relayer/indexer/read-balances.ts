import {
  decodeFunctionResult,
  encodeFunctionData,
  hexToBigInt,
  parseAbi,
  zeroAddress,
  type Address,
  type Hash,
  type Hex,
} from 'viem'
import type { HoldingKey, Reading } from '../../db/indexer/holdings.ts'
import { askNode, type RpcRequest } from '../../proving/simulation/json-rpc.ts'
import { askNodes, WrongAnswerError, type AskOne, type Nodes } from './ask-nodes.ts'

const tokenAbi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function ownerOf(uint256 id) view returns (address)',
])
const multiTokenAbi = parseAbi(['function balanceOf(address owner, uint256 id) view returns (uint256)'])
const multicallAbi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)',
])
const PER_REQUEST = 100
const WORD_DIGITS = 64
/** How nodes say that it was the call that failed: what cannot be read counts as nothing. */
const CALL_FAILED = /revert|gas|opcode|jump|stack|protection|bounds|evm|abort|depth|execution/i

/** What the addresses have after a block, as the chain itself says; never as transfers add up. */
export function readBalances(
  nodes: Nodes,
  multicall: Address | null,
  keys: readonly HoldingKey[],
  blockHash: Hash,
): Promise<Reading[]> {
  return askNodes(nodes, async (ask, url) => {
    const at = { blockHash }
    const amounts = new Map<HoldingKey, bigint>()
    const native = keys.filter(({ standard }) => standard === 'native')
    for (const part of parts(native, PER_REQUEST)) {
      const answers = await ask(
        part.map(({ address }) => ({ method: 'eth_getBalance', params: [address, at] })),
      )
      for (const [index, key] of part.entries()) amounts.set(key, readQuantity(answers[index]))
    }
    const tokens = keys.filter(({ standard }) => standard !== 'native')
    for (const part of parts(tokens, PER_REQUEST)) {
      const open = multicall ? await readTogether(ask, multicall, part, at, amounts) : part
      await readSingly(nodes, url, open, at, amounts)
    }
    return keys.map((key) => ({ ...key, amount: amounts.get(key) ?? 0n }))
  })
}

function* parts<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

function readQuantity(answer: unknown): bigint {
  if (typeof answer !== 'string') throw new WrongAnswerError('the node gave no balance')
  return BigInt(answer)
}

function encodeRead({ standard, address, tokenId }: HoldingKey): Hex {
  if (standard === 'erc1155')
    return encodeFunctionData({ abi: multiTokenAbi, functionName: 'balanceOf', args: [address, tokenId] })
  if (standard === 'erc721')
    return encodeFunctionData({ abi: tokenAbi, functionName: 'ownerOf', args: [tokenId] })
  return encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [address] })
}

/** A contract that gives less than a word says nothing. */
function readAmount({ standard, address }: HoldingKey, data: Hex): bigint {
  if (data.length < 2 + WORD_DIGITS) return 0n
  const word = hexToBigInt(data.slice(0, 2 + WORD_DIGITS) as Hex)
  if (standard !== 'erc721') return word
  return word === BigInt(address) ? 1n : 0n
}

/** Reads many in one call. @returns Those that failed there: one token can eat the gas of all that come after it. */
async function readTogether(
  ask: AskOne,
  multicall: Address,
  keys: readonly HoldingKey[],
  at: { blockHash: Hash },
  amounts: Map<HoldingKey, bigint>,
): Promise<readonly HoldingKey[]> {
  const data = encodeFunctionData({
    abi: multicallAbi,
    functionName: 'aggregate3Value',
    args: [
      keys.map((key) => ({ target: key.token, allowFailure: true, value: 0n, callData: encodeRead(key) })),
    ],
  })
  try {
    const [answer] = await ask([{ method: 'eth_call', params: [{ to: multicall, data }, at] }])
    const results = decodeFunctionResult({
      abi: multicallAbi,
      functionName: 'aggregate3Value',
      data: answer as Hex,
    })
    return keys.filter((key, index) => {
      const result = results[index]
      if (!result?.success) return true
      amounts.set(key, readAmount(key, result.returnData))
      return false
    })
  } catch {
    // The multicall may be younger than the block, or the answer too large.
    return keys
  }
}

async function readSingly(
  nodes: Nodes,
  url: string,
  keys: readonly HoldingKey[],
  at: { blockHash: Hash },
  amounts: Map<HoldingKey, bigint>,
): Promise<void> {
  if (keys.length === 0) return
  const requests: RpcRequest[] = [
    // Says whether the node has the state of the block at all.
    { method: 'eth_getBalance', params: [zeroAddress, at] },
    ...keys.map((key) => ({
      method: 'eth_call',
      params: [{ to: key.token, data: encodeRead(key) }, at] as const,
    })),
  ]
  const [canary, ...answers] = await askNode(url, requests, AbortSignal.timeout(nodes.timeoutMs))
  if (!canary || 'refusal' in canary) throw canary?.refusal ?? new WrongAnswerError('the node gave no answer')
  for (const [index, key] of keys.entries()) {
    const answer = answers[index]
    if (!answer) throw new WrongAnswerError('the node gave no answer')
    if ('refusal' in answer && !answer.refusal.isRevert && !CALL_FAILED.test(answer.refusal.message))
      throw answer.refusal
    amounts.set(key, 'refusal' in answer ? 0n : readAmount(key, answer.result as Hex))
  }
}
