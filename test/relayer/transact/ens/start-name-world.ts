import { pino } from 'pino'
import {
  bytesToString,
  decodeFunctionData,
  encodeAbiParameters,
  encodePacked,
  hexToBytes,
  keccak256,
  labelhash,
  namehash,
  parseAbi,
  zeroAddress,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { loadPublishedContracts } from '../../../devnet/deploy/published-contracts.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { at } from '../../../vectors/relay-story.ts'
import { startTestDevnet } from '../../../harness/start-test-devnet.ts'

const recordAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
])
const resolveAbi = parseAbi(['function resolve(bytes name, bytes data)'])

/** The records that the offchain gateway has for a name. */
export interface OffchainRecords {
  address?: Address
  /** Addresses by ENSIP-11 coin type. */
  coins?: Readonly<Record<string, Address>>
  avatar?: string
}

export type NameWorld = Awaited<ReturnType<typeof startNameWorld>>

/** A devnet on which the test owns the names. */
export async function startNameWorld() {
  const test = await startTestDevnet()
  const config = at(test.devnet.chains, 0)
  const { nameSigner, deployer } = deriveAccounts()
  const chain = openChain(config, pino({ level: 'silent' }))
  const { reader, sender } = connectWallet(test.chain, deployer.privateKey)
  const { names } = test.chain
  const published = await loadPublishedContracts()
  const signer = privateKeyToAccount(nameSigner.privateKey)

  const write = async (address: Address, abi: Abi, functionName: string, args: readonly unknown[]) => {
    const hash = await sender.writeContract({ address, abi, functionName, args })
    await reader.waitForTransactionReceipt({ hash })
  }
  /** Creates a contract and returns its address. */
  const create = async (abi: Abi, bytecode: Hex, args: readonly unknown[]) => {
    const hash = await sender.deployContract({ abi, bytecode, args })
    return (await reader.waitForTransactionReceipt({ hash })).contractAddress!
  }

  return {
    chain,
    chains: new Map([[config.chainId, chain]]),
    client: at(test.chain.accounts, 0),
    names,
    create,
    reader,
    /** Registers `label`.eth for the test, with that resolver. */
    register: (label: string, resolver: Address) =>
      write(names.registry, published.NameRegistry.abi, 'setSubnodeRecord', [
        namehash('eth'),
        labelhash(label),
        deployer.address,
        resolver,
        0n,
      ]),
    /** Sets a record that the resolver on chain answers for a name. */
    set: (functionName: string, args: readonly unknown[]) =>
      write(names.resolver, published.NameResolver.abi, functionName, args),
    /** An offchain resolver that refers readers to these gateways and accepts the test's signer. */
    createOffchainResolver: (urlTemplate: string) =>
      create(published.OffchainResolver.abi, published.OffchainResolver.bytecode, [
        urlTemplate,
        [nameSigner.address],
      ]),
    /** The response body of an honest gateway. */
    async answerLookup(
      path: string,
      records: (name: string) => OffchainRecords | undefined,
    ): Promise<string> {
      const [, resolver, data] = /^\/(0x[0-9a-f]{40})\/(0x[0-9a-f]+)\.json$/.exec(path) ?? []
      const { args } = decodeFunctionData({ abi: resolveAbi, data: data as Hex })
      const known = records(decodeName(hexToBytes(args[0]))) ?? {}
      const result = encodeRecord(args[1], known)
      const expires = BigInt(Math.floor(Date.now() / 1_000) + 300)
      const hash = keccak256(
        encodePacked(
          ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
          ['0x1900', resolver as Address, expires, keccak256(data as Hex), keccak256(result)],
        ),
      )
      const signature = await signer.sign({ hash })
      return JSON.stringify({
        data: encodeAbiParameters(
          [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }],
          [result, expires, signature],
        ),
      })
    },
    stop: () => test[Symbol.asyncDispose](),
  }
}

function encodeRecord(query: Hex, { address, coins = {}, avatar }: OffchainRecords): Hex {
  const { functionName, args } = decodeFunctionData({ abi: recordAbi, data: query })
  if (functionName === 'text')
    return encodeAbiParameters([{ type: 'string' }], [args[1] === 'avatar' ? (avatar ?? '') : ''])
  return args.length === 1
    ? encodeAbiParameters([{ type: 'address' }], [address ?? zeroAddress])
    : encodeAbiParameters([{ type: 'bytes' }], [coins[String(args[1])] ?? '0x'])
}

function decodeName(packet: Uint8Array): string {
  const labels: string[] = []
  for (let place = 0; packet[place]; place += (packet[place] ?? 0) + 1)
    labels.push(bytesToString(packet.slice(place + 1, place + 1 + (packet[place] ?? 0))))
  return labels.join('.')
}
