import { fork, type ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAddressEqual, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { devnetConfig } from '../../../gateway/config/devnet-config.ts'
import { readDescription } from '../devnet-description.ts'
import type { DevnetMessage } from '../../../gateway/compose/devnet-report.ts'
import { connectWallet } from '../wallet/connect-wallet.ts'
import { deposit } from '../wallet/deposit.ts'
import { resumeServiceChains } from '../../harness/resume-service-chains.ts'
import { at } from '../../vectors/relay-story.ts'
import { startTestDevnet } from '../../harness/start-test-devnet.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))
const config = devnetConfig.parse({ chainIds: [31_337], ports: [], aspDelaySeconds: 0 })
let dataDir: string
let devnet: ChildProcess

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'devnet-kill-'))
  await resumeServiceChains(dataDir, { chainIds: [31_337] })
  devnet = fork(program, [JSON.stringify({ dataDir, config, logLevel: 'silent' })], { execArgv: [] })
  for await (const [said] of on(devnet, 'message', { close: ['exit'] }))
    if ((said as DevnetMessage).kind === 'running') break
})
afterEach(async () => {
  await kill()
  await rm(dataDir, { recursive: true, force: true })
})

async function kill(): Promise<void> {
  if (devnet.exitCode !== null || devnet.signalCode !== null) return
  devnet.kill('SIGKILL')
  await once(devnet, 'exit')
}

/** Deposits, and returns the facts that a chain must not forget. */
async function depositOnce() {
  const chain = at((await readDescription(dataDir)).chains, 0)
  const wallet = connectWallet(chain, at(chain.accounts, 0).privateKey)
  const { asset, pool } = at(chain.pools, 0)
  const { hash } = await deposit(wallet, { ...chain, asset, pool, gross: parseEther('1') })
  return { hash, memory: await remember(hash) }
}

async function remember(hash: `0x${string}`) {
  const chain = at((await readDescription(dataDir)).chains, 0)
  const { account, reader } = connectWallet(chain, at(chain.accounts, 0).privateKey)
  const receipt = await reader.getTransactionReceipt({ hash })
  return {
    receipt,
    block: (await reader.getBlock({ blockNumber: receipt.blockNumber })).hash,
    first: (await reader.getBlock({ blockNumber: BigInt(chain.startBlock) })).hash,
    logs: await reader.getLogs({ address: at(chain.pools, 0).pool, fromBlock: 0n }),
    balance: await reader.getBalance({ address: account.address }),
    txNonce: await reader.getTransactionCount({ address: account.address }),
    startBlock: chain.startBlock,
  }
}

describe('a devnet that is killed', () => {
  it('keeps blocks, receipts, logs, balances and nonces, and goes on', async () => {
    const { hash, memory } = await depositOnce()
    await kill()
    await using resumed = await startTestDevnet({}, { folder: dataDir })
    expect(await remember(hash)).toEqual(memory)
    const again = await depositOnce()
    expect(again.memory.receipt.status).toBe('success')
    const { reader } = connectWallet(resumed.chain, at(resumed.chain.accounts, 0).privateKey)
    const { timestamp } = await reader.getBlock()
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(30)
  })

  it('has every transaction that its accounts imply, though it was making blocks when it was killed', async () => {
    const chain = at((await readDescription(dataDir)).chains, 0)
    const wallets = [2, 3].map((index) => connectWallet(chain, at(chain.accounts, index).privateKey))
    // Creates nothing, after a loop that takes the chain a while.
    const slow = { data: '0x60005b600101806201ffff1160025700', gas: 10_000_000n } as const
    const sent = wallets.map(async ({ sender, reader, account }) => {
      for (let nonce = await reader.getTransactionCount(account); ; nonce++)
        await sender.sendTransaction({ ...slow, nonce })
    })
    const [busy] = wallets
    await expect.poll(() => busy!.reader.getTransactionCount(busy!.account)).toBeGreaterThan(3)
    await kill()
    await Promise.allSettled(sent)
    await using resumed = await startTestDevnet({}, { folder: dataDir })
    const { reader } = connectWallet(resumed.chain, at(resumed.chain.accounts, 0).privateKey)
    const head = Number(await reader.getBlockNumber())
    const blocks = await Promise.all(
      Array.from({ length: head + 1 }, (_, number) =>
        reader.getBlock({ blockNumber: BigInt(number), includeTransactions: true }),
      ),
    )
    for (const { account } of wallets) {
      const told = blocks
        .flatMap(({ transactions }) => transactions)
        .filter(({ from }) => isAddressEqual(from, account.address))
      expect(told).toHaveLength(await reader.getTransactionCount(account))
    }
  })

  it('falls back to the previous state when the last one is damaged', async () => {
    const { hash, memory } = await depositOnce()
    await kill()
    await (await startTestDevnet({}, { folder: dataDir }))[Symbol.asyncDispose]()
    const stateFile = join(dataDir, 'devnet', '31337', 'state.json')
    const state = await readFile(stateFile, 'utf8')
    await writeFile(stateFile, state.slice(0, state.length / 2))
    await using _ = await startTestDevnet({}, { folder: dataDir })
    expect(await remember(hash)).toEqual(memory)
  })

  it('cannot be used by another service while its own runs', async () => {
    await expect(startTestDevnet({}, { folder: dataDir })).rejects.toThrow(
      /already runs the devnet.*another DATA_DIR/,
    )
    const { memory } = await depositOnce()
    expect(memory.receipt.status).toBe('success')
  })

  it('leaves no process behind', async () => {
    const pidFile = join(dataDir, 'devnet', '31337', 'anvil.pid')
    const [pid] = (await readFile(pidFile, 'utf8')).split(' ')
    const { asp } = await readDescription(dataDir)
    await kill()
    await expect.poll(() => isRunning(Number(pid))).toBe(false)
    await expect.poll(() => fetch(asp!.url).catch(() => 'gone')).toBe('gone')
  })
})

/** A zombie, whose parent does not reap, is no running process. */
async function isRunning(pid: number): Promise<boolean> {
  if (!existsSync(`/proc/${pid}`)) return false
  return !/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8'))
}
