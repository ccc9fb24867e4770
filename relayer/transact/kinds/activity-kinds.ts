/** What something that happened is called, seen from the account. */
export const ACTIVITY_KINDS = [
  'SEND',
  'RECEIVE',
  'SELF',
  'SWAP',
  'BRIDGE',
  'CROSS_CHAIN_SWAP',
  'POOL_DEPOSIT',
  'POOL_RECOVER',
  'INCOGNITO_SEND',
  'INCOGNITO_SELF_SEND',
  'NFT_WITHDRAW',
  'DAPP_CALL',
] as const
/** What a transaction was for the account. */
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]
