/** Names of activities, from the account's view. */
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
/** Purpose of a transaction for the account. */
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]
