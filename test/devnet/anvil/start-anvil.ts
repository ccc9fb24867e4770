import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DEVNET_MNEMONIC, FUNDED_ACCOUNTS } from '../accounts.ts'
import type { DevnetChainSettings } from '../list-chain-settings.ts'
import { choosePort } from './choose-port.ts'
import { clearOrphanNode } from './clear-orphan-node.ts'
import type { KeptChain } from './keeper-process.ts'
import { locateAnvil } from './locate-anvil.ts'

/** First block's time where runs have to be alike, in seconds. */
const DETERMINISTIC_START = 1_800_000_000
/** Gas price where runs have to be alike: a base fee of zero stays zero. */
const DETERMINISTIC_FEE = ['--block-base-fee-per-gas', '0']
const KEEPER = fileURLToPath(new URL('./keeper-process.ts', import.meta.url))
/** For a chain that hangs: one that cannot start ends by itself. */
const START_TIMEOUT_MS = 60_000
/** Anvil's message when another program took its port just before. */
const PORT_TAKEN = /address already in use/i
const PORT_ATTEMPTS = 5
const STOP_TIMEOUT_MS = 20_000
/** The second net: should the signal that makes the chain write its state be lost, this much is lost with it. */
const STATE_INTERVAL_SECONDS = '10'

/** A running local chain. */
export interface Anvil {
  rpcUrl: string
  /** Ends the chain once it has written its state. */
  stop: () => Promise<void>
}

/** Start options of a local chain. */
export interface AnvilOptions {
  /** The folder of this chain's state, log and process id. */
  folder: string
  settings: DevnetChainSettings
  deterministic: boolean
  /** Seconds by which a new chain's first block is in the past; it has no effect where runs have to be alike. */
  initialAgeSeconds?: number
  logger: Logger
}

/** Starts a local chain that resumes where the last one in the folder ended, however it ended. */
export async function startAnvil({
  folder,
  settings,
  deterministic,
  initialAgeSeconds = 0,
  logger,
}: AnvilOptions): Promise<Anvil> {
  mkdirSync(folder, { recursive: true })
  const stateFile = join(folder, 'state.json')
  const previousState = join(folder, 'state.previous.json')
  const pidFile = join(folder, 'anvil.pid')
  await clearOrphanNode(pidFile, stateFile, logger)

  const launch = async () => {
    const port = await choosePort(settings.port)
    const log = openSync(join(folder, 'anvil.log'), 'w')
    const start = deterministic ? DETERMINISTIC_START : Math.floor(Date.now() / 1_000) - initialAgeSeconds
    const args = [
      ['--quiet', '--no-request-size-limit', '--hardfork', 'prague'],
      ['--port', String(port), '--chain-id', String(settings.chainId)],
      ['--number', String(settings.genesisBlock)],
      ['--mnemonic', DEVNET_MNEMONIC, '--accounts', String(FUNDED_ACCOUNTS)],
      ['--state', stateFile, '--state-interval', STATE_INTERVAL_SECONDS],
      ['--cache-path', join(folder, 'cache')],
      deterministic || !existsSync(stateFile) ? ['--timestamp', String(start)] : [],
      deterministic ? DETERMINISTIC_FEE : [],
    ]
    // Its output goes to a file, because a pipe to a dead process would lose its last output.
    const child = spawn(locateAnvil(), args.flat(), { detached: true, stdio: ['ignore', log, log] })
    const rpcUrl = `http://127.0.0.1:${port}`
    startKeeper(child, rpcUrl)
    closeSync(log)
    writeFileSync(pidFile, `${child.pid} ${process.pid}`)
    await waitUntilReady(child, rpcUrl, settings.chainId).catch((cause: unknown) => {
      child.kill('SIGKILL')
      const said = readFileSync(join(folder, 'anvil.log'), 'utf8').trim()
      throw new Error(`The devnet chain ${settings.chainId} did not start: ${said || String(cause)}`, {
        cause,
      })
    })
    return { child, rpcUrl }
  }

  const launchOnPort = async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await launch()
      } catch (error) {
        if (attempt === PORT_ATTEMPTS || !PORT_TAKEN.test(String(error))) throw error
      }
    }
  }

  const { child, rpcUrl } = await launchOnPort().catch((error: unknown) => {
    // Its state is as good as it was.
    if (!existsSync(previousState) || PORT_TAKEN.test(String(error))) throw error
    logger.error(
      { err: error, previousState },
      'devnet state cannot be read: going back to the last good one',
    )
    copyFileSync(previousState, stateFile)
    return launch()
  })
  if (existsSync(stateFile)) copyFileSync(stateFile, previousState)

  let stopping = false
  child.once('exit', (code, signal) => {
    if (!stopping) logger.error({ chainId: settings.chainId, code, signal }, 'a devnet chain ended by itself')
  })
  return {
    rpcUrl,
    stop: async () => {
      stopping = true
      await endProcess(child)
    },
  }
}

/**
 * Starts the process that ends a chain when this one dies, even by SIGKILL. Both are in process groups of their own: they
 * do not receive our Ctrl-C and end after us.
 */
function startKeeper(child: ChildProcess, rpcUrl: string): void {
  const keeper = fork(KEEPER, { execArgv: [], detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const chain: KeptChain = { pid: child.pid ?? 0, rpcUrl }
  keeper.send(chain)
  child.once('exit', () => keeper.kill('SIGKILL'))
}

async function waitUntilReady(child: ChildProcess, rpcUrl: string, chainId: number): Promise<void> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
  }
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended at once')
    if (performance.now() > deadline) throw new Error('it does not answer')
    const answer = await fetch(rpcUrl, request).then(
      (response) => response.json() as Promise<{ result?: string }>,
      () => null,
    )
    if (answer?.result === `0x${chainId.toString(16)}`) return
    await sleep(25)
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timeout)
}
