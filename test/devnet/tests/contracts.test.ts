import { toEventSignature, toFunctionSignature, type Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import { loadContracts } from '../build/load-contracts.ts'
import type { ContractName } from '../build/contract-build.ts'
import { entrypointAbi, poolAbi, relayErrorAbi } from '../../../relayer/chain/contracts/privacy-pools.ts'
import {
  peerEscrowAbi,
  peerOrchestratorAbi,
  rateAdapterAbi,
} from '../../../relayer/chain/contracts/peer-escrow.ts'
import { readSdkAbi } from './read-sdk-abi.ts'

const build = await loadContracts()

/** Functions, events and errors with everything that a caller or a reader of logs depends on. */
function listItems(abi: Abi): string[] {
  return abi.flatMap((item) => {
    if (item.type === 'function') {
      const outputs = toFunctionSignature({ ...item, inputs: item.outputs }).slice(item.name.length)
      return [`function ${toFunctionSignature(item)} ${item.stateMutability} ${outputs}`]
    }
    if (item.type === 'event') {
      const indexed = item.inputs.map((input) => (input.indexed ? 'indexed' : 'data'))
      return [`event ${toEventSignature(item)} ${indexed.join()}`]
    }
    if (item.type === 'error') {
      return [
        `error ${toFunctionSignature({ ...item, type: 'function', outputs: [], stateMutability: 'view' })}`,
      ]
    }
    return []
  })
}

const missing = (from: readonly string[], wanted: readonly string[]) =>
  wanted.filter((item) => !from.includes(item))

describe('our contracts and the ABIs of the published SDK', () => {
  const cases: { ours: ContractName; sdk: 'IEntrypoint' | 'IPrivacyPool'; additions: string[] }[] = [
    {
      ours: 'Entrypoint',
      sdk: 'IEntrypoint',
      // The SDK is older than the deployed contracts: these are theirs.
      additions: ['error PrecommitmentAlreadyUsed()', 'function usedPrecommitments(uint256) view (bool)'],
    },
    {
      ours: 'NativePool',
      sdk: 'IPrivacyPool',
      additions: ['error FailedToSendNativeAsset()', 'error InsufficientValue()'],
    },
    {
      ours: 'TokenPool',
      sdk: 'IPrivacyPool',
      additions: ['error NativeAssetNotAccepted()', 'error SafeERC20FailedOperation(address)'],
    },
  ]
  it.each(cases)('$ours has all of $sdk and nothing but the listed additions', ({ ours, sdk, additions }) => {
    const [mine, theirs] = [listItems(build[ours].abi), listItems(readSdkAbi(sdk))]
    expect(theirs.length).toBeGreaterThan(30)
    expect(missing(mine, theirs)).toEqual([])
    expect(missing(theirs, mine).sort()).toEqual(additions)
  })
})

describe('our contracts for cash-outs and the ABI that Peer publishes', () => {
  const readPeerAbi = async (name: string) =>
    (
      (await import(`@zkp2p/contracts-v2/abis/base/${name}.json`, { with: { type: 'json' } })) as {
        default: { abi?: Abi } | Abi
      }
    ).default
  const listPeer = async (name: string) => {
    const published = await readPeerAbi(name)
    return listItems('abi' in published && published.abi ? published.abi : (published as Abi))
  }
  const libraries = ['error ReentrancyGuardReentrantCall()', 'error SafeERC20FailedOperation(address)']
  const signatures = [
    'error ECDSAInvalidSignature()',
    'error ECDSAInvalidSignatureLength(uint256)',
    'error ECDSAInvalidSignatureS(bytes32)',
  ]

  it.each([
    { ours: 'CashEscrow', theirs: 'EscrowV2', additions: libraries },
    { ours: 'CashOrchestrator', theirs: 'OrchestratorV3', additions: [...libraries, ...signatures] },
  ] as const)('$ours has nothing that $theirs has not, but errors of libraries', async (pair) => {
    const published = await listPeer(pair.theirs)
    expect(published.length).toBeGreaterThan(50)
    expect(missing(published, listItems(build[pair.ours].abi)).sort()).toEqual([...pair.additions].sort())
  })

  it('the service reads and calls nothing that is not published', async () => {
    const [escrow, orchestrator] = [await listPeer('EscrowV2'), await listPeer('OrchestratorV3')]
    expect(missing(escrow, listItems(peerEscrowAbi))).toEqual([])
    expect(missing(orchestrator, listItems(peerOrchestratorAbi))).toEqual([])
    expect(missing(await listPeer('ChainlinkOracleAdapter'), listItems(rateAdapterAbi))).toEqual([])
  })
})

describe("the service's ABI", () => {
  it('equals that of the compiled contracts', () => {
    const all = Object.values(build).flatMap(({ abi }) => listItems(abi))
    expect(missing(listItems(build.Entrypoint.abi), listItems(entrypointAbi))).toEqual([])
    expect(missing(listItems(build.NativePool.abi), listItems(poolAbi))).toEqual([])
    expect(missing(all, listItems(relayErrorAbi))).toEqual([])
  })

  it('has the same event and parameter names', () => {
    const names = (abi: Abi) =>
      abi.flatMap((item) =>
        item.type === 'event' ? [`${item.name}: ${item.inputs.map(({ name }) => name).join()}`] : [],
      )
    expect(names(build.NativePool.abi).sort()).toEqual(names(readSdkAbi('IPrivacyPool')).sort())
  })
})

describe('Multicall', () => {
  it('has exactly aggregate3Value of Multicall3', () => {
    expect(listItems(build.Multicall.abi)).toEqual([
      'function aggregate3Value((address,bool,uint256,bytes)[]) payable ((bool,bytes)[])',
    ])
  })
})
