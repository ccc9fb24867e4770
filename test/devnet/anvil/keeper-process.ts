import { setTimeout as sleep } from 'node:timers/promises'
import { exitProcess } from '../../../relayer/concurrency/run-contained.ts'

// Ends a chain when the service that started it dies. A chain ended while it makes a block writes the block's changes
// to the accounts, without the block. So it makes no more blocks first.
const PATIENCE_MS = 5_000
const QUIET_ROUNDS = 3
const ROUND_MS = 50

/** The chain that this process ends. */
export interface KeptChain {
  pid: number
  rpcUrl: string
}

let chain: KeptChain | null = null
process.on('message', (message) => (chain = message as KeptChain))
process.on('disconnect', () => void endChain())
// A Ctrl-C in the terminal is for the service.
process.on('SIGINT', () => undefined)

async function endChain(): Promise<void> {
  if (chain) {
    const { pid, rpcUrl } = chain
    await finishBlock(rpcUrl).catch(() => undefined)
    endQuietly(pid)
  }
  exitProcess(0)
}

/** Lets the chain finish its block. It makes no block by itself, and then every one that we ask for and no other. */
async function finishBlock(rpcUrl: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const ask = async (method: string, params: readonly unknown[] = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(rpcUrl, { method: 'POST', headers, body, signal })
    return ((await response.json()) as { result: string }).result
  }
  await ask('evm_setAutomine', [false])
  await ask('evm_setIntervalMining', [0])
  for (let quiet = 0; quiet < QUIET_ROUNDS;) {
    const before = Number(await ask('eth_blockNumber'))
    await ask('evm_mine')
    await sleep(ROUND_MS)
    quiet = Number(await ask('eth_blockNumber')) === before + 1 ? quiet + 1 : 0
  }
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // It has ended by itself.
  }
}
