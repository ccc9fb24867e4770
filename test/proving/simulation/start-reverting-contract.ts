import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import solc from 'solc'
import { createTestClient, http, publicActions, walletActions, type Abi, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { locateAnvil } from '../../devnet/anvil/locate-anvil.ts'
import { findFreePort } from '../../harness/find-free-port.ts'

/** First account of the chain's well-known mnemonic. */
export const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

function compile(): { abi: Abi; bytecode: Hex } {
  const content = readFileSync(new URL('./reverting.sol', import.meta.url), 'utf8')
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object'] } }
  const input = {
    language: 'Solidity',
    sources: { 'reverting.sol': { content } },
    settings: { outputSelection },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const { abi, evm } = output.contracts['reverting.sol'].Reverting
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}

/** A fresh local chain with the contract of reverting.sol. */
export async function startRevertingContract() {
  const port = await findFreePort()
  const anvil = spawn(locateAnvil(), ['--port', `${port}`, '--quiet'], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const client = createTestClient({
    mode: 'anvil',
    chain: foundry,
    account: SENDER,
    pollingInterval: 20,
    transport: http(url, { retryCount: 100, retryDelay: 50 }),
  })
    .extend(publicActions)
    .extend(walletActions)
  const { abi, bytecode } = compile()
  const hash = await client.deployContract({ abi, bytecode })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the contract was not deployed')
  return {
    url,
    client,
    abi,
    address: contractAddress,
    async stop() {
      anvil.kill('SIGKILL')
      await once(anvil, 'exit')
    },
  }
}
