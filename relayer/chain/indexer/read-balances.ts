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
  RpcRefusal,
  TransportError,
  type RpcRequest,
  type RpcResults,
} from '../../../proving/rpc/json-rpc.ts'
import { askNodes, WrongAnswerError, type AskOne, type Nodes } from './ask-nodes.ts'

const tokenAbi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function ownerOf(uint256 id) view returns (address)',
])
const multiTokenAbi = parseAbi(['function balanceOf(address owner, uint256 id) view returns (uint256)'])
/** Of contracts/TokenBalances.sol. */
const inputs = parseAbiParameters('address[] tokens, bytes[] questions, uint256 gasEach')
const outputs = parseAbiParameters(['Answer[] answers', 'struct Answer { bool answered; uint256 word; }'])
/** A proxy's balanceOf takes about 30,000 gas; tokens that fail with this limit are read one by one. */
const GAS_TOGETHER = 200_000n
/** An honest token needs no more; the limit bounds the work of a node. */
const GAS_ALONE = 2_000_000n
/** Half of a uint256's range: if a token's balances add up to a uint256, at most one address has so much. */
const ABSURD = 1n << 255n
/** After this many failed or missing answers the rest of a hundred balances is read later. */
const PATIENCE = 16
const PER_REQUEST = 100
const WORD_DIGITS = 64
/** More than the largest answer that a call can pay for. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** Errors by which nodes report a failed call: its balance counts as nothing. */
const CALL_FAILED = /revert|gas|opcode|jump|stack|protection|bounds|evm|depth|execution/i
/** Errors by which nodes report their own failure, with the same words: "execution aborted (timeout = 5s)". */
const NODE_FAILED = /time|abort|limit exceeded|rate|busy|overload|upstream|header not found|missing trie/i

/** The balances that were read, and those that a node could not read although it answered other questions. */
export interface BalancesRead {
  readings: readonly Reading[]
  unread: readonly HoldingKey[]
}

/** Reads the balances of addresses after a block, as the chain reports them, never as sums of transfers. */
export function readBalances(
  nodes: Nodes,
  keys: readonly HoldingKey[],
  blockHash: Hash,
): Promise<BalancesRead> {
  let best: BalancesRead | null = null
  let tries = 0
  return askNodes(nodes, async (ask, url) => {
    const found = await readOf({ nodes, url, ask, at: { blockHash }, amounts: new Map() }, keys)
    if (best === null || found.unread.length < best.unread.length) best = found
    tries += 1
    if (best.unread.length > 0 && tries < nodes.urls.length)
      throw new WrongAnswerError('the node could not read some balances, another may')
    return best
  })
}

/** Reads the balances of several groups, no two in one request. */
export async function readGroups(
  nodes: Nodes,
  groups: readonly (readonly HoldingKey[])[],
  blockHash: Hash,
): Promise<BalancesRead> {
  const readings: Reading[] = []
  const unread: HoldingKey[] = []
  for (const group of groups) {
    const read = await readBalances(nodes, group, blockHash)
    readings.push(...read.readings)
    unread.push(...read.unread)
  }
  return { readings, unread }
}

/** One node's answers about one block. */
interface Asked {
  nodes: Nodes
  url: string
  ask: AskOne
  at: { blockHash: Hash }
  amounts: Map<HoldingKey, bigint>
}

async function readOf(asked: Asked, keys: readonly HoldingKey[]): Promise<BalancesRead> {
  const { amounts } = asked
  const native = keys.filter(({ standard }) => standard === 'native')
  for (const part of parts(native, PER_REQUEST)) await readNative(asked, part)
  const tokens = keys.filter(({ standard }) => standard !== 'native')
  for (const part of parts(tokens, PER_REQUEST))
    await readSingly(asked, await readTogether(asked, part), { left: PATIENCE })
  return {
    readings: keys.flatMap((key) => {
      const amount = amounts.get(key)
      if (amount === undefined) return []
      return amount < ABSURD ? { ...key, amount } : { ...key, amount: 0n, isAbsurd: true }
    }),
    unread: keys.filter((key) => !amounts.has(key)),
  }
}

function* parts<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/**
 * Omits balances that the node refuses or that are impossible, so that they do not delay the others.
 * @throws The node's error when it reports none.
 */
async function readNative(
  { nodes, url, ask, at, amounts }: Asked,
  keys: readonly HoldingKey[],
): Promise<void> {
  const requests = keys.map(({ address }) => ({ method: 'eth_getBalance', params: [address, at] }))
  const answers = await ask(requests).catch(async (error: unknown) => {
    if (!(error instanceof RpcRefusal) || keys.length === 1) throw error
    const each = await askNode(url, requests, AbortSignal.timeout(nodes.timeoutMs), MAX_ANSWER_BYTES)
    if (each.every((answer) => 'refusal' in answer)) throw error
    return each.map((answer) => ('result' in answer ? answer.result : null))
  })
  for (const [index, key] of keys.entries()) {
    const answer = answers[index]
    if (typeof answer === 'string' && BigInt(answer) < ABSURD) amounts.set(key, BigInt(answer))
  }
}

function encodeRead({ standard, address, tokenId }: HoldingKey): Hex {
  if (standard === 'erc1155')
    return encodeFunctionData({ abi: multiTokenAbi, functionName: 'balanceOf', args: [address, tokenId] })
  if (standard === 'erc721')
    return encodeFunctionData({ abi: tokenAbi, functionName: 'ownerOf', args: [tokenId] })
  return encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [address] })
}

/** An answer shorter than a word counts as nothing. */
const readAmount = (key: HoldingKey, data: Hex): bigint =>
  data.length < 2 + WORD_DIGITS ? 0n : amountOf(key, hexToBigInt(data.slice(0, 2 + WORD_DIGITS) as Hex))

function amountOf({ standard, address }: HoldingKey, word: bigint): bigint {
  if (standard !== 'erc721') return word
  return word === BigInt(address) ? 1n : 0n
}

/** A call that returns at most two words for each, whatever the tokens return. */
const boundedCall = (keys: readonly HoldingKey[], gasEach: bigint, at: { blockHash: Hash }): RpcRequest => {
  const input = encodeAbiParameters(inputs, [keys.map(({ token }) => token), keys.map(encodeRead), gasEach])
  return { method: 'eth_call', params: [{ data: `${TOKEN_BALANCES_CODE}${input.slice(2)}` }, at] }
}

/** Null where the node did not run the call unchanged. */
function readBounded(
  keys: readonly HoldingKey[],
  answer: unknown,
): readonly { answered: boolean; word: bigint }[] | null {
  try {
    const [answers] = decodeAbiParameters(outputs, answer as Hex)
    return answers.length === keys.length ? answers : null
  } catch {
    return null
  }
}

/**
 * Reads many balances in one call.
 *
 * @returns The failed ones, to be read one by one.
 */
async function readTogether(
  { ask, at, amounts }: Asked,
  keys: readonly HoldingKey[],
): Promise<readonly HoldingKey[]> {
  // A node may have too little gas for a call, or require a contract to call.
  const [answer] = await ask([boundedCall(keys, GAS_TOGETHER, at)]).catch(() => [])
  const answers = readBounded(keys, answer)
  if (!answers) return keys
  return keys.filter((key, index) => {
    const { answered, word } = answers[index] as { answered: boolean; word: bigint }
    if (answered) amounts.set(key, amountOf(key, word))
    return !answered
  })
}

/** Reads each balance by its own call. It omits balances that the node cannot read, although it answers other questions. */
async function readSingly(
  asked: Asked,
  keys: readonly HoldingKey[],
  patience: { left: number },
): Promise<void> {
  const { nodes, url, at, amounts } = asked
  if (keys.length === 0 || patience.left <= 0) return
  const ask = (requests: readonly RpcRequest[]) =>
    askNode(url, requests, AbortSignal.timeout(nodes.timeoutMs), MAX_ANSWER_BYTES)
  // Shows whether the node has the state of the block, and whether it accepts a call without a contract.
  const [canary, probe] = await ask([
    { method: 'eth_getBalance', params: [zeroAddress, at] },
    boundedCall([], GAS_ALONE, at),
  ])
  if (!canary || 'refusal' in canary) throw canary?.refusal ?? new WrongAnswerError('the node gave no answer')
  const isBounded = probe !== undefined && 'result' in probe && readBounded([], probe.result) !== null
  const callOf = (key: HoldingKey): RpcRequest =>
    isBounded
      ? boundedCall([key], GAS_ALONE, at)
      : {
          method: 'eth_call',
          params: [{ to: key.token, data: encodeRead(key), gas: numberToHex(GAS_ALONE) }, at],
        }
  let answers: RpcResults
  try {
    answers = await ask(keys.map(callOf))
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    await readHalves(asked, keys, keys, patience)
    return
  }
  const failed: HoldingKey[] = []
  for (const [index, key] of keys.entries()) {
    const amount = readAnswer(key, answers[index], isBounded)
    if (amount === null) failed.push(key)
    else amounts.set(key, amount)
  }
  if (failed.length > 0) await readHalves(asked, keys, failed, patience)
}

/** Some tokens return too much or too slowly, or make the node refuse. That must not delay the others. */
async function readHalves(
  asked: Asked,
  keys: readonly HoldingKey[],
  failed: readonly HoldingKey[],
  patience: { left: number },
): Promise<void> {
  patience.left -= 1
  if (keys.length === 1) return
  const middle = Math.ceil(failed.length / 2)
  await readSingly(asked, failed.slice(0, middle), patience)
  await readSingly(asked, failed.slice(middle), patience)
}

/** True if the call itself failed; a node that could not run it reports nothing of the balance. */
const isCallFailure = ({ isRevert, message }: RpcRefusal) =>
  isRevert || (CALL_FAILED.test(message) && !NODE_FAILED.test(message))

/** The result of a call for one balance: 0 where the contract failed, null where the node refused or gave no answer. */
function readAnswer(
  key: HoldingKey,
  answer: RpcResults[number] | undefined,
  isBounded: boolean,
): bigint | null {
  if (!answer) return null
  if ('refusal' in answer) return isCallFailure(answer.refusal) ? 0n : null
  if (!isBounded) return readAmount(key, answer.result as Hex)
  const [told] = readBounded([key], answer.result) ?? []
  return told ? (told.answered ? amountOf(key, told.word) : 0n) : null
}

/** contracts/TokenBalances.sol, compiled by solc 0.8.30 for the EVM of Paris; a test compiles it again. */
export const TOKEN_BALANCES_CODE: Hex = `0x${[
  '608060405234801561001057600080fd5b5060405161044138038061044183398101604081905261002f916102f6565b6000',
  '83516001600160401b0381111561004a5761004a610181565b60405190808252806020026020018201604052801561008f57',
  '816020015b60408051808201909152600080825260208201528152602001906001900390816100685790505b50905060005b',
  '8451811015610126576000806100e48784815181106100b6576100b66103d9565b60200260200101518785815181106100d0',
  '576100d06103d9565b60200260200101518761015360201b60201c565b915091506040518060400160405280831515815260',
  '200182815250848481518110610111576101116103d9565b60209081029190910101525050600101610095565b5060008160',
  '405160200161013a91906103ef565b6040516020818303038152906040529050805160208201f35b60008060008052602060',
  '008551602087018887fa9150601f3d1182161561017957506000515b935093915050565b634e487b7160e01b600052604160',
  '045260246000fd5b604051601f8201601f191681016001600160401b03811182821017156101bf576101bf610181565b6040',
  '52919050565b60006001600160401b038211156101e0576101e0610181565b5060051b60200190565b600082601f83011261',
  '01fb57600080fd5b815161020e610209826101c7565b610197565b8082825260208201915060208360051b86010192508583',
  '111561023057600080fd5b602085015b838110156102ec5780516001600160401b0381111561025357600080fd5b8601603f',
  '8101881361026457600080fd5b60208101516001600160401b0381111561028057610280610181565b610293601f8201601f',
  '1916602001610197565b8181526040838301018a10156102a857600080fd5b60005b828110156102cb578084016040015160',
  '20838301810191909152016102ab565b50600060208383010152808652505050602083019250602081019050610235565b50',
  '95945050505050565b60008060006060848603121561030b57600080fd5b83516001600160401b0381111561032157600080',
  'fd5b8401601f8101861361033257600080fd5b8051610340610209826101c7565b8082825260208201915060208360051b85',
  '010192508883111561036257600080fd5b6020840193505b828410156103995783516001600160a01b038116811461038857',
  '600080fd5b825260209384019390910190610369565b6020880151909650925050506001600160401b038111156103b95760',
  '0080fd5b6103c5868287016101ea565b604095909501519396949550929392505050565b634e487b7160e01b600052603260',
  '045260246000fd5b602080825282518282018190526000918401906040840190835b81811015610435578351805115158452',
  '6020908101518185015290930192604090920191600101610409565b50909594505050505056fe',
].join('')}`
