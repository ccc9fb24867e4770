import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  hexToBigInt,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  type Hash,
  type Hex,
} from 'viem'
import type { HoldingKey, Reading } from '../../../db/chain/indexer/holdings.ts'
import {
  askNode,
  TransportError,
  type RpcRequest,
  type RpcResults,
} from '../../../proving/simulation/json-rpc.ts'
import { askNodes, WrongAnswerError, type AskOne, type Nodes } from './ask-nodes.ts'
import { TOKEN_BALANCES_CODE } from './token-balances-code.ts'

const tokenAbi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function ownerOf(uint256 id) view returns (address)',
])
const multiTokenAbi = parseAbi(['function balanceOf(address owner, uint256 id) view returns (uint256)'])
/** Of contracts/TokenBalances.sol. */
const input = parseAbiParameters('address[] tokens, bytes[] questions, uint256 gasEach')
const output = parseAbiParameters(['Answer[] answers', 'struct Answer { bool answered; uint256 word; }'])
/** A proxy's balanceOf takes about 30,000 gas; tokens that fail with this limit are asked one by one. */
const GAS_TOGETHER = 200_000n
/** An honest token needs no more; this keeps tokens from making a node work long or answer much. */
const GAS_ALONE = numberToHex(2_000_000)
const PER_REQUEST = 100
const WORD_DIGITS = 64
/** More than the largest answer that a call can pay for. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** How nodes say that it was the call that failed: what cannot be read counts as nothing. */
const CALL_FAILED = /revert|gas|opcode|jump|stack|protection|bounds|evm|abort|depth|execution/i

/** What the addresses have after a block, as the chain itself says; never as transfers add up. */
export function readBalances(nodes: Nodes, keys: readonly HoldingKey[], blockHash: Hash): Promise<Reading[]> {
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
      const open = await readTogether(ask, part, at, amounts)
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
const readAmount = (key: HoldingKey, data: Hex): bigint =>
  data.length < 2 + WORD_DIGITS ? 0n : amountOf(key, hexToBigInt(data.slice(0, 2 + WORD_DIGITS) as Hex))

function amountOf({ standard, address }: HoldingKey, word: bigint): bigint {
  if (standard !== 'erc721') return word
  return word === BigInt(address) ? 1n : 0n
}

/**
 * Reads many balances in one call.
 *
 * @returns Those that failed, to be read one by one.
 */
async function readTogether(
  ask: AskOne,
  keys: readonly HoldingKey[],
  at: { blockHash: Hash },
  amounts: Map<HoldingKey, bigint>,
): Promise<readonly HoldingKey[]> {
  const asked = encodeAbiParameters(input, [
    keys.map(({ token }) => token),
    keys.map(encodeRead),
    GAS_TOGETHER,
  ])
  try {
    const data = `${TOKEN_BALANCES_CODE}${asked.slice(2)}`
    const [answer] = await ask([{ method: 'eth_call', params: [{ data }, at] }])
    const [answers] = decodeAbiParameters(output, answer as Hex)
    if (answers.length !== keys.length) return keys
    return keys.filter((key, index) => {
      const { answered, word } = answers[index] as { answered: boolean; word: bigint }
      if (answered) amounts.set(key, amountOf(key, word))
      return !answered
    })
  } catch {
    // A node may have too little gas for a call, or want a contract to call.
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
  const ask = (requests: readonly RpcRequest[]) =>
    askNode(url, requests, AbortSignal.timeout(nodes.timeoutMs), MAX_ANSWER_BYTES)
  // Says whether the node has the state of the block at all.
  const [canary] = await ask([{ method: 'eth_getBalance', params: [zeroAddress, at] }])
  if (!canary || 'refusal' in canary) throw canary?.refusal ?? new WrongAnswerError('the node gave no answer')
  let answers: RpcResults
  try {
    answers = await ask(
      keys.map((key) => ({
        method: 'eth_call',
        params: [{ to: key.token, data: encodeRead(key), gas: GAS_ALONE }, at],
      })),
    )
  } catch (error) {
    if (!(error instanceof TransportError) || keys.length === 1) throw error
    // Some answer too much or too slowly, which must not keep us from reading the others.
    const middle = Math.ceil(keys.length / 2)
    await readSingly(nodes, url, keys.slice(0, middle), at, amounts)
    await readSingly(nodes, url, keys.slice(middle), at, amounts)
    return
  }
  for (const [index, key] of keys.entries()) {
    const answer = answers[index]
    if (!answer) throw new WrongAnswerError('the node gave no answer')
    if ('refusal' in answer && !answer.refusal.isRevert && !CALL_FAILED.test(answer.refusal.message))
      throw answer.refusal
    amounts.set(key, 'refusal' in answer ? 0n : readAmount(key, answer.result as Hex))
  }
}
