import { PINNED_CONTRACTS } from 'stealth-relay/client'
import type { WalletSettings } from './settings.ts'

/** The settings that came with the page. Contracts that the client package pins win over them. */
export const SETTINGS: WalletSettings = readSettings()

function readSettings(): WalletSettings {
  const text = document.querySelector('#settings')?.textContent
  const given = JSON.parse(text || '{"chains":[],"isDevnet":false,"nameParent":null}') as WalletSettings
  return { ...given, chains: given.chains.map((chain) => ({ ...chain, ...PINNED_CONTRACTS[chain.chainId] })) }
}

/** The wallet's record of a chain; undefined for one that it only shows. */
export const findChain = (chainId: number) => SETTINGS.chains.find((chain) => chain.chainId === chainId)
