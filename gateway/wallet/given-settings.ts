import type { WalletSettings } from './settings.ts'

/** The settings as they came with the page. */
export const GIVEN_SETTINGS = JSON.parse(
  document.querySelector('#settings')?.textContent || '{"chains":[],"isDevnet":false,"nameParent":null}',
) as WalletSettings
