import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseGwei,
  type Address,
  type Hex,
} from 'viem'
import { createProvingPool } from '../../proving/create-proving-pool.ts'
import { createBlockForecast } from '../../relayer/chain/nodes/foresee-block.ts'
import { relayErrorAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import { deriveAccounts } from '../../test/devnet/accounts.ts'
import { devnetConfig } from '../../gateway/config/devnet-config.ts'
import { startDevnetHere } from '../../test/harness/start-devnet-here.ts'
import { encodeRelay } from '../../relayer/pool/relay/encode-relay.ts'
import { loadRelayVectors, replayVectorDeposits } from '../../test/vectors/load-relay-vectors.ts'
import { measureInterleaved, type Case } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import type { Settings } from '../settings.ts'
import { askNode } from './ask-node.ts'

/** Fees of the simulated transactions. */
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: parseGwei('1') }

/**
 * Creations that loop until their gas or time has run out: with nothing, with hashes of 1 KiB, with logs, with large logs.
 */
const BOMBS = {
  loop: '0x5b600056',
  hashes: '0x5b610400600020600056',
  logs: '0x5b60006000a0600056',
  largeLogs: '0x5b6104006000a0600056',
} as const

interface Call {
  from: Address
  to: Address
  data: Hex
  value: bigint
  gas: bigint
}

/** Simulations through the pool, against the same calls sent to the node directly; the node's own CPU is not counted. */
export async function benchSimulate(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('a chain with deposits')
  const folder = await mkdtemp(join(tmpdir(), 'bench-simulate-'))
  const config = devnetConfig.parse({
    chainIds: [31_337],
    ports: [0],
    deterministic: true,
    aspDelaySeconds: 3_600,
  })
  const devnet = await startDevnetHere({ dataDir: folder, config, logger: pino({ level: 'silent' }) })
  const pool = await createProvingPool({ commitmentKeys: [] })
  try {
    const [chain] = devnet.chains
    const [rpcUrl] = chain?.rpcUrls ?? []
    if (!chain || !rpcUrl) throw new Error('the devnet has no chain')
    const vectors = loadRelayVectors()
    await replayVectorDeposits(vectors, chain)
    const calls = describeCalls(vectors, chain.relayer!.entrypoint)
    const client = createPublicClient({ transport: http(rpcUrl) })
    const forecast = createBlockForecast(client)
    forecast.note(await client.getBlock())
    await forecast.fees.read()
    const asSent = { rpcUrls: [rpcUrl], fees: FEES, timeoutMs: 10_000 }
    const simulate = async (call: Call, prefer: 'node' | 'evm') => {
      const block = forecast.next(Date.now()) ?? undefined
      const job = { ...asSent, block, call, errorAbi: relayErrorAbi, prefer }
      const { success } = await pool.simulate(job)
      if (!success) throw new Error('a simulation failed')
    }
    const casesOf = (name: 'erc20' | 'relay', call: Call): Case[] => {
      const baseline = `simulate.${name}.node`
      return [
        {
          name: `simulate.${name}.nodeCall`,
          baseline,
          compared: 'wall',
          run: () => askNode(rpcUrl, 'eth_call', call),
        },
        {
          name: baseline,
          baseline: null,
          compared: 'wall',
          run: () => askNode(rpcUrl, 'debug_traceCall', call),
        },
        { name: `simulate.${name}`, baseline, compared: 'wall', run: () => simulate(call, 'node') },
        { name: `simulate.${name}.evm`, baseline, compared: 'wall', run: () => simulate(call, 'evm') },
      ]
    }
    const bombs = Object.entries(BOMBS).map(([name, data]): Case => ({
      name: `simulate.bomb.${name}`,
      baseline: null,
      compared: 'wall',
      run: async () => {
        const call = { from: calls.erc20.from, to: null, data, value: 0n, gas: 16_777_216n }
        const job = { rpcUrls: [rpcUrl], call, errorAbi: [], timeoutMs: 10_000, prefer: 'evm' } as const
        if ((await pool.simulate(job)).success) throw new Error('a bomb went through')
      },
    }))
    return await measureInterleaved(
      [...casesOf('erc20', calls.erc20), ...casesOf('relay', calls.relay), ...bombs],
      settings,
    )
  } finally {
    await pool.close()
    await devnet.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function describeCalls({ story, relays }: ReturnType<typeof loadRelayVectors>, entrypoint: Address) {
  const [relay] = relays
  const [signer] = deriveAccounts().relaySigners
  if (!relay || !signer) throw new Error('there are no vectors')
  const feeCommitment = {
    expiration: 0,
    asset: relay.asset,
    withdrawalData: relay.withdrawal.data,
    signedRelayerCommitment: '0x' as const,
    extraGas: false,
    amount: relay.amount,
  }
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [signer.address, 1_000_000n],
  })
  return {
    relay: {
      from: signer.address,
      to: entrypoint,
      data: encodeRelay({ ...relay, feeCommitment }),
      value: 0n,
      gas: 2_000_000n,
    },
    erc20: {
      from: story.depositor.address,
      to: story.pools.token.asset,
      data: transfer,
      value: 0n,
      gas: 200_000n,
    },
  }
}
