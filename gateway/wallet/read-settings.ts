import { PINNED_CONTRACTS } from 'stealth-relay/client'
import { GIVEN_SETTINGS } from './given-settings.ts'
import type { WalletSettings } from './settings.ts'

/** The settings that came with the page. Contracts that the client package pins win over them. */
export const SETTINGS: WalletSettings = {
  ...GIVEN_SETTINGS,
  chains: GIVEN_SETTINGS.chains.map((chain) => ({ ...chain, ...PINNED_CONTRACTS[chain.chainId] })),
}

/** The wallet's record of a chain; undefined for one that it only shows. */
export const findChain = (chainId: number) => SETTINGS.chains.find((chain) => chain.chainId === chainId)
