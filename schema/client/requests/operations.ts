// SPDX-License-Identifier: MIT
// Printed from the operation table by `npm run print`: do not edit it.
import type { Address, Hex } from 'viem'

/** The named shapes of requests and answers, in wire form: amounts are decimal strings. */
export interface Schemas {
  /** The cost of relaying. */
  RelayerDetails: {
    /** Base fee in basis points; a quote adds the gas. */
    feeBPS: string
    /** Receiver of the fee; signs fee commitments unless the operator keeps another key for that. */
    feeReceiverAddress: Address
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The pool’s asset; 0xEeee…EEeE is the native one. */
    assetAddress: Address
    /** Smallest withdrawal that is relayed, in the smallest unit. */
    minWithdrawAmount: string
    /** Highest gas price at which withdrawals are relayed, in wei per gas. */
    maxGasPrice: string
  }
  /** The body of every failure; details follow the code if there are any. */
  ErrorBody: {
    /** Class of the error. */
    error: string
    /** The error, for a person. */
    message: string
    /** The error, for a program. */
    code?: string
    /** Symbol of the token that the error is about. With WITHDRAWAL_AMOUNT_TOO_SMALL, INSUFFICIENT_BALANCE, INSUFFICIENT_FUNDS_FOR_FEES, FEE_TOKEN_UNPRICED, DEPOSIT_AMOUNT_TOO_SMALL, DEPOSIT_AMOUNT_TOO_LARGE. */
    tokenSymbol?: string
    /** Address of the token that the error is about. With WITHDRAWAL_AMOUNT_TOO_SMALL, INSUFFICIENT_BALANCE, INSUFFICIENT_FUNDS_FOR_FEES, FEE_TOKEN_UNPRICED, DEPOSIT_AMOUNT_TOO_SMALL, DEPOSIT_AMOUNT_TOO_LARGE. */
    tokenAddress?: string
    /** Decimals of amounts in the smallest unit. With WITHDRAWAL_AMOUNT_TOO_SMALL, INSUFFICIENT_BALANCE, INSUFFICIENT_FUNDS_FOR_FEES, FEE_TOKEN_UNPRICED, DEPOSIT_AMOUNT_TOO_SMALL, DEPOSIT_AMOUNT_TOO_LARGE. */
    tokenDecimals?: number
    /** The smallest amount that is accepted, in whole tokens. With WITHDRAWAL_AMOUNT_TOO_SMALL. Minimum value of a note, in whole tokens. With DEPOSIT_AMOUNT_TOO_SMALL. */
    minAmount?: string
    /** The largest relay fee that the pool allows. With WITHDRAWAL_AMOUNT_TOO_SMALL. */
    maxRelayFeeBPS?: number
    /** The relay fee that the amount would need. With WITHDRAWAL_AMOUNT_TOO_SMALL. */
    requiredRelayFeeBPS?: string
    /** The most that notes of the account could send, in whole tokens. With WITHDRAWAL_AMOUNT_TOO_SMALL. The most that can be sent after fees, in the smallest unit. With INSUFFICIENT_FUNDS_FOR_FEES. The most that can be sent without joining them, in the smallest unit. With PROVENANCE_MIX. */
    maxSendable?: string
    /** Total of the pool balances considered, in the smallest unit. */
    selectedAmount?: string
    /** How many pool balances that is. */
    selectedCount?: number
    /** Estimated relay fee for them, in the smallest unit. */
    relayFee?: string
    /** The largest relay fee for the amount asked for, in the smallest unit. */
    feeLimit?: string
    /** The available balance, in the smallest unit. With INSUFFICIENT_BALANCE. Amount that can be withdrawn now, in the smallest unit. With WITHDRAWAL_TOO_LARGE. */
    available?: string
    /** The estimated fee, in the smallest unit. With INSUFFICIENT_FUNDS_FOR_FEES. */
    feeEstimate?: string
    /** The amount asked for and the estimated fee, in the smallest unit. With INSUFFICIENT_FUNDS_FOR_FEES. */
    required?: string
    /** By how much the request exceeds what fees leave, in the smallest unit. With INSUFFICIENT_FUNDS_FOR_FEES. */
    shortfall?: string
    /** Spendables that `maxSendable` counts. With INSUFFICIENT_FUNDS_FOR_FEES. */
    spendableCount?: number
    /** The most spendables that one quote may take. With INSUFFICIENT_FUNDS_FOR_FEES. */
    maxInputs?: number
    /** Tokens that the fee could be paid in instead. With INSUFFICIENT_FUNDS_FOR_FEES. */
    feePaymentOptions?: readonly (Schemas['FeePaymentOption'])[]
    /** The addresses that would pay together. With PROVENANCE_MIX. */
    addresses?: readonly (string)[]
    /** The exact address of the recipient, to be acknowledged. With CONTRACT_RECIPIENT, ADDRESS_POISONING_MATCH. */
    resolvedAddress?: string
    /** A known address that the destination looks like. With ADDRESS_POISONING_MATCH. */
    matchedAddress?: string
    /** Equal characters at the beginning. With ADDRESS_POISONING_MATCH. */
    matchedPrefixCharsCount?: number
    /** Equal characters at the end. With ADDRESS_POISONING_MATCH. */
    matchedSuffixCharsCount?: number
    /** Source of that address. With ADDRESS_POISONING_MATCH. */
    matchSource?: string
    /** Its name in the address book. With ADDRESS_POISONING_MATCH. */
    contactName?: string
    /** The requested slippage. */
    requestedSlippageBps?: number
    /** The slippage that would suffice. */
    recommendedSlippageBps?: number
    /** Percent by which the output is below the market price. With PRICE_IMPACT_TOO_HIGH. */
    priceImpact?: number
    /** The least that the bridge carries, in the smallest unit of the token that it takes. With AMOUNT_TOO_LOW. The least that is sold, in the smallest unit of the token in escrow. With CASH_OUT_TOO_SMALL. */
    minimum?: string
    /** The most that the bridge carries, in the smallest unit of the token that it takes. With AMOUNT_TOO_HIGH. */
    maximum?: string
    /** Amount that buyers hold, in the smallest unit. With NOTHING_TO_WITHDRAW, WITHDRAWAL_TOO_LARGE. */
    held?: string
    /** Amount that must stay for the sale to continue, in the smallest unit. With WITHDRAWAL_LEAVES_TOO_LITTLE. */
    leastLeft?: string
    /** The quote that takes it back. With WITHDRAWAL_UNDER_WAY. The quote that recovers the deposit. With RECOVERY_UNDER_WAY. The quote that sends the collectible away. With COLLECTIBLE_UNDER_WAY. */
    quoteId?: string
    /** Maximum value of a note, in whole tokens. With DEPOSIT_AMOUNT_TOO_LARGE. */
    maxAmount?: string
    /** Number of addresses that would deposit. With PRECOMMITMENTS_NEEDED. */
    count?: number
    /** The lowest index that the account has not used. With PRECOMMITMENTS_NEEDED, DEPOSIT_INDEX_TAKEN, DEPOSIT_INDEX_GAP. */
    nextDepositIndex?: number
    /** Index of the deposit. With PRECOMMITMENT_ALREADY_USED, DEPOSIT_INDEX_TAKEN, DEPOSIT_INDEX_GAP. */
    depositIndex?: number
    /** The highest index that is accepted now. With DEPOSIT_INDEX_GAP. */
    maxDepositIndex?: number
    /** Time from which it can be sent away again. With COLLECTIBLE_WITHDRAWN_LATELY. */
    availableAt?: string
  }
  /** A token that the fee could be paid in. */
  FeePaymentOption: {
    /** Contract of the token; the zero address is the native coin. */
    token: string
    /** Symbol of the token. */
    symbol: string
    /** Decimals of amounts in the smallest unit. */
    decimals: number
    /** Amount that can be spent now, in the smallest unit. */
    available: string
    /** The most that could be sent then. */
    maxSpendable: string
    /** The estimated fee in the smallest unit. */
    feeEstimate: string
  }
  /** A withdrawal to quote. */
  RelayerQuoteRequest: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Amount to withdraw, in the smallest unit. */
    amount: string
    /** The pool’s asset; 0xEeee…EEeE is the native one. */
    asset: Address
    /** Recipient of the withdrawn amount, less the fee. */
    recipient: Address
    /** Also give the recipient native coin for gas. Means nothing for the native asset. */
    extraGas?: boolean
  }
  /** A fee, and the commitment to it. */
  RelayerQuote: {
    /** Base fee of the asset in basis points, before gas. */
    baseFeeBPS: string
    /** Base fee and gas, in basis points of the amount. */
    feeBPS: string
    /** Gas price that the fee covers, in wei per gas. */
    gasPrice: string
    feeCommitment: Schemas['FeeCommitment']
    detail: Schemas['RelayerQuoteDetail']
  }
  /** The relayer’s promise until `expiration`; submit it unchanged. */
  FeeCommitment: {
    /** Until when it is good, in milliseconds since the epoch. */
    expiration: number
    /** abi.encode(recipient, feeReceiver, feeBPS): use it as withdrawal.data. */
    withdrawalData: Hex
    /** The pool’s asset; 0xEeee…EEeE is the native one. */
    asset: Address
    /** Smallest amount to withdraw, in the smallest unit. */
    amount: string
    /** True when the recipient also gets native coin for gas. */
    extraGas: boolean
    /** EIP-712 signature of a RelayerCommitment. */
    signedRelayerCommitment: Hex
  }
  /** Purpose of the gas. */
  RelayerQuoteDetail: {
    /** Gas of the relay transaction itself. */
    relayTxCost: Schemas['GasCost']
    /** Native coin that the recipient is given; absent without `extraGas`. */
    extraGasFundAmount?: Schemas['GasCost']
    /** Gas for giving it to the recipient; absent without `extraGas`. */
    extraGasTxCost?: Schemas['GasCost']
  }
  /** Gas, and what it costs. */
  GasCost: {
    /** Units of gas that the transaction uses. */
    gas: string
    /** Cost in wei of the native coin: gas · gasPrice. */
    eth: string
  }
  /** A withdrawal to relay. */
  RelayRequest: {
    withdrawal: Schemas['Withdrawal']
    proof: Schemas['Groth16Proof']
    /** newCommitmentHash, existingNullifierHash, withdrawnValue, stateRoot, stateTreeDepth, ASPRoot, ASPTreeDepth, context. */
    publicSignals: readonly (string)[]
    /** The pool: keccak256(pool, chainId, asset) mod Fr, in decimal digits. */
    scope: string
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    feeCommitment: Schemas['FeeCommitment']
  }
  /** The Withdrawal of the pool contracts: the data that the proof’s context binds. */
  Withdrawal: {
    /** Address that may process the withdrawal: the Entrypoint. */
    processooor: Address
    /** `withdrawalData` of the fee commitment, byte for byte. */
    data: Hex
  }
  /** As snarkjs writes it: decimal strings. */
  Groth16Proof: {
    /** Three decimal strings, the last is 1. */
    pi_a: readonly (string)[]
    /** Three pairs of decimal strings, in the order of snarkjs. */
    pi_b: readonly (readonly (string)[])[]
    /** Three decimal strings, the last is 1. */
    pi_c: readonly (string)[]
    /** Proof system: always `groth16`, also when left out. */
    protocol?: "groth16"
    /** Elliptic curve: always `bn128`, also when left out. */
    curve?: "bn128"
  }
  /** The state of a withdrawal. */
  RelayAnswer: {
    /** False when the request was well formed and refused. */
    success: boolean
    /** When the relayer answered, in milliseconds since the epoch. */
    timestamp: number
    /** Id of the request, for `/relayer/request/{requestId}`. */
    requestId: string
    /** Hash of the transaction that was sent; a fee bump may replace it. Absent when none was. */
    txHash?: string
    /** `<CODE>: <message>`; the codes are listed in the introduction. Absent on success. */
    error?: string
  }
  /** How far a request has come. */
  RelayerRequestStatus: {
    /** Id of the request, for `/relayer/request/{requestId}`. */
    requestId: string
    status: Schemas['RelayerRequestState']
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Hash of the newest transaction; absent until there is one. */
    txHash?: string
    /** `<CODE>: <message>` once failed; else absent. */
    error?: string
    /** When the status last changed, in milliseconds since the epoch. */
    updatedAt: number
  }
  /** received → verified → simulated → broadcast → confirmed or failed. */
  RelayerRequestState: "received" | "verified" | "simulated" | "broadcast" | "confirmed" | "failed"
  /** The key to encrypt key material with. */
  HpkePublicKey: {
    /** The X25519 key: 32 bytes in hex, without 0x. */
    publicKey: string
    /** The same 32 bytes in base64. */
    publicKeyBase64: string
    /** Encoding of `publicKey`: always `hex`. */
    format: "hex"
    /** Key encapsulation of the HPKE suite (RFC 9180). */
    kem: "X25519-HKDF-SHA256"
    /** Encryption of the HPKE suite (RFC 9180). */
    aead: "AES-128-GCM"
  }
  /** A signed message. */
  VerifyRequest: {
    /** The EIP-4361 message, as it was signed. */
    message: string
    /** EIP-191 signature of `message` by the spending key: 65 bytes. */
    signature: Hex
    /** How the client guards its keys; any other value counts as unknown. */
    authType?: string
  }
  /** The signed-in address, and the token. */
  Session: {
    /** Always true: a failure is answered as an error. */
    ok: boolean
    /** Address of the spending key, not that of the connected wallet. */
    address: Address
    /** A JWT, for `Authorization: Bearer`. */
    token: string
    /** Id of the account; null until it has been created. */
    accountId: string | null
    keyAccessMethod: Schemas['KeyAccessMethod']
  }
  /** How the client guards its keys; unknown where the sign-in did not say, and for API keys. */
  KeyAccessMethod: "passkey_prf" | "wallet_pin" | "unknown"
  /** The token is not good any more. */
  LoggedOut: {
    /** Always true, also without a token. */
    ok: boolean
  }
  /** The extension’s request (RFC 6749, RFC 7636). */
  ExtensionAuthorizationRequest: {
    /** OAuth response type: always `code`. */
    response_type: "code"
    /** Id under which the operator registered the extension. */
    client_id: string
    /** URL that receives the code; must be registered letter by letter. */
    redirect_uri: string
    /** Any text; the answer carries it back unchanged. */
    state: string
    /** PKCE challenge: base64url(SHA-256(code_verifier)). */
    code_challenge: string
    /** PKCE challenge method: always `S256`. */
    code_challenge_method: "S256"
    /** Address of the connected wallet; the answer to the exchange carries it. */
    wallet_address?: Address
  }
  /** A code for the extension. */
  ExtensionAuthorization: {
    /** To be exchanged at `/v1/oauth/token`, once. */
    code: string
    /** `state` of the request, unchanged. */
    state: string
    /** Id of the account that the code lets in to. */
    account_id: string
    /** Seconds until the code expires. */
    expires_in: number
  }
  /** The body of OAuth failures (RFC 6749). */
  OAuthErrorBody: {
    /** A code of RFC 6749 or RFC 6750. */
    error: string
    /** The error, for a person. */
    error_description?: string
  }
  /** A code and its verifier (RFC 6749, RFC 7636). */
  OAuthTokenRequest: {
    /** OAuth grant type: `authorization_code`, also when left out. */
    grant_type?: string
    /** The code that the extension was given. */
    code: string
    /** The text that `code_challenge` is the hash of. */
    code_verifier: string
    /** Id under which the operator registered the extension. */
    client_id: string
    /** `redirect_uri` of the request for the code. */
    redirect_uri: string
  }
  /** A token for the extension. */
  OAuthToken: {
    /** A token, for `Authorization: Bearer`. */
    access_token: string
    /** OAuth token type: always `Bearer`. */
    token_type: "Bearer"
    /** Seconds until the token expires. */
    expires_in: number
    /** Id of the account that the token is for. */
    account_id: string
    auth_method: Schemas['AuthMethod']
    /** `wallet_address` of the request for the code; null when it named none. */
    wallet_address: Address | null
  }
  /** How the client guards its keys, in the words of the extension. */
  AuthMethod: "passkey" | "walletPin"
  /** The keys that sign tokens (RFC 7517). */
  JsonWebKeySet: {
    /** The current key first, then those of tokens that are still good. */
    keys: readonly (Schemas['JsonWebKey'])[]
  }
  /** A public key (RFC 7517). */
  JsonWebKey: {
    /** Key type, for example `EC`. */
    kty: string
    /** Elliptic curve, for example `P-256`. */
    crv: string
    /** x coordinate of the point, base64url. */
    x: string
    /** y coordinate of the point, base64url. */
    y: string
    /** Id of the key, which the header of a token names. */
    kid: string
    /** Signature algorithm, for example `ES256`. */
    alg: string
    /** Purpose of the key: `sig`, to sign. */
    use: string
  }
  /** Key material, encrypted for the service. */
  NewAccount: {
    /** HPKE (base mode, X25519-HKDF-SHA256, HKDF-SHA256, AES-128-GCM, info and aad empty) of the JSON text {"P_spend", "P_view", "child_p_view"}; base64. */
    ciphertext: string
    /** The encapsulated key of HPKE, 32 bytes in base64. */
    encapsulatedKey: string
    /** Invite code; needed when access is by invitation. */
    inviteCode?: string
    /** Of the client’s own experiments; stored, and read by nothing else. */
    onboardingExperimentId?: string
    /** Of the client’s own experiments; stored, and read by nothing else. */
    experimentKey?: string
    /** Of the client’s own experiments; stored, and read by nothing else. */
    variantKey?: string
    /** Referral code of who referred the account; an unknown one changes nothing. */
    referralCode?: string
  }
  /** The result of the request for an account. */
  CreatedAccount: {
    /** Id of the new account; null when it existed already. */
    accountId: string | null
    /** True when there was one with the same key material. */
    alreadyExisted: boolean
    /** True when the new account counts as referred. */
    referralApplied: boolean
  }
  /** The account as its owner sees it. */
  Account: {
    /** Id of the account: a UUID that never changes. */
    accountId: string
    /** Address of the spending key, which signs in; null where it is not known. */
    address: Address | null
    /** Always true: without an account the answer is an error. */
    isRegistered: boolean
    keyAccessMethod: Schemas['KeyAccessMethod']
    /** When the account was created; null where it is not known. */
    createdAt: string | null
    /** The account’s name below the parent name; null while it has none. */
    subdomain: string | null
    /** An ENS name of the account’s own, encrypted by the client; null without one. */
    encryptedCustomEnsName: string | null
    /** Until when the offer to new accounts can be claimed; null when it cannot. */
    activationOfferClaimExpiresAt: string | null
    /** Derivation nonce of the newest one-time address; null when there is none. */
    lastConsumedNonce: number | null
    /** The collectibles that waive fees; null where the service knows none. */
    collectible: Schemas['Collectible'] | null
    /** True when the account ever deposited into a pool. */
    hasPoolDeposits: boolean
    /** Ids of the prompts that were dismissed for good. */
    dismissedProfilePrompts: readonly (string)[]
  }
  /** The collectibles that waive fees. */
  Collectible: {
    /** True while they waive the account’s service fees: one of them is held, and waived no other account’s within 24 hours. */
    active: boolean
    /** The recorded collectibles that the account holds now. */
    deposits: readonly (Schemas['CollectibleDeposit'])[]
  }
  /** A collectible that came in and is held still. */
  CollectibleDeposit: {
    /** Number of the collectible in its collection, in decimal digits. */
    tokenId: string
    /** URL of the collectible’s picture; null without one. */
    imageUrl: string | null
    /** The account’s address that holds the collectible. */
    depositAddress: Address
  }
  /** The contact e-mail. */
  ContactEmail: {
    /** The e-mail address; null when there is none. */
    email: string | null
  }
  /** The contact e-mail to set. */
  NewContactEmail: {
    /** The e-mail address; it is trimmed and its domain lower-cased. */
    email: string
  }
  /** An ENS name, encrypted by the client. */
  CustomEnsNameBody: {
    /** Base64 of at most 2,048 characters, encrypted by a key that the service does not have. */
    encryptedCustomEnsName: string
  }
  /** The ENS name that the account keeps. */
  CustomEnsName: {
    /** As the client wrote it; null without one. */
    encryptedCustomEnsName: string | null
  }
  /** A prompt that is not shown any more. */
  PromptDismissal: {
    /** Id of a prompt that the operator’s clients show. */
    promptId: string
    /** When the prompt was first dismissed. */
    dismissedAt: string
  }
  /** Whether a name can be claimed. */
  NameCheck: {
    /** True when the name can be claimed now. */
    available: boolean
    /** Why the name cannot be claimed; absent when it can. */
    reason?: Schemas['NameHindrance']
  }
  /** taken: an account has it. blocked: reserved or offensive. */
  NameHindrance: "taken" | "blocked"
  /** The name to claim. */
  NameClaim: {
    /** The name below the parent name, as the user typed it. */
    subdomain: string
    /** Invite code; opens names that are reserved for its holder. */
    inviteCode?: string
  }
  /** The name that the account now has. */
  ClaimedName: {
    /** Always true: a failure is answered as an error. */
    success: boolean
    /** Text for a person: `The name is yours`. */
    message: string
    /** The stored name: normalised by ENSIP-15. */
    subdomain: string
  }
  /** A name that is free now. */
  SuggestedName: {
    /** The name below the parent name; nothing keeps it free. */
    subdomain: string
  }
  /** The answer, signed for the resolver contract. */
  NameLookupAnswer: {
    /** abi.encode(bytes result, uint64 expires, bytes signature). */
    data: Hex
  }
  /** The question of a resolver contract (ERC-3668). */
  NameLookup: {
    /** The resolver contract that asks. */
    sender: Address
    /** The call of resolve(bytes,bytes) to answer. */
    data: string
  }
  /** Whether there is a referral programme. */
  ReferralAvailability: {
    /** True when codes can be had and used. */
    available: boolean
  }
  /** A referrer and its terms. */
  Referrer: {
    /** The referral code, for `referralCode` when an account is created. */
    code: string
    /** Name of the account that refers. */
    referrerName: string
    /** What the referrer gets of service fees, in basis points. */
    referrerShareBps: number
    /** What the referred saves on service fees, in basis points. */
    referredDiscountBps: number
    /** US cents: a share of one fee that is worth less is not given. */
    minimumRewardUsdCents: number
    /** Days from the account’s creation for which the referrer gets a share. */
    earningDurationDays: number
  }
  /** What a referral code offers. */
  ReferralPreview: {
    /** Name of the account that refers; null while it has none. */
    referrerName: string | null
    /** What the referrer gets of service fees, in basis points. */
    referrerShareBps: number
    /** What the referred saves on service fees, in basis points. */
    referredDiscountBps: number
    /** US cents: a share of one fee that is worth less is not given. */
    minimumRewardUsdCents: number
    /** Days from the account’s creation for which the referrer gets a share. */
    earningDurationDays: number
  }
  /** Who referred the account, on the terms of the day on which it was created. */
  ReferralAttribution: {
    /** Name of the account that referred; empty while it has none. */
    referrerName: string
    /** What the referrer gets of service fees, in basis points. */
    referrerShareBps: number
    /** What the referred saves on service fees, in basis points. */
    referredDiscountBps: number
    /** US cents: a share of one fee that is worth less is not given. */
    minimumRewardUsdCents: number
    /** From when the referrer gets a share. */
    earningStartsAt: string
    /** Until when the referrer gets a share. */
    earningEndsAt: string
    /** When the account ended the attribution; null unless it did. */
    revokedAt: string | null
    status: Schemas['ReferralAttributionStatus']
  }
  /** expired: its time is over. revoked: the account ended it. */
  ReferralAttributionStatus: "active" | "expired" | "revoked"
  /** The totals of the account’s referrals. */
  ReferralSummary: {
    /** Number of accounts that were referred. */
    totalReferrals: number
    /** Number of those accounts whose fees still earn a share. */
    activeReferrals: number
    /** Sum of all shares in US dollars, a decimal string; fees without a price are left out. */
    totalEarnedUsd: string
  }
  /** The account’s referral code and today’s terms. */
  ReferralProfile: {
    /** The referral code, for `referralCode` when an account is created. */
    code: string
    /** What the referrer gets of service fees, in basis points. */
    referrerShareBps: number
    /** What the referred saves on service fees, in basis points. */
    referredDiscountBps: number
    /** US cents: a share of one fee that is worth less is not given. */
    minimumRewardUsdCents: number
    /** Days from the account’s creation for which the referrer gets a share. */
    earningDurationDays: number
  }
  /** An empty object; may be left out. */
  PaymentAddressRequest: {}
  /** An address to be paid at. */
  PaymentAddress: {
    /** A one-time address of the account, the same on every chain. */
    address: Address
    /** Derivation nonce of the address as a decimal string; in lists it is a number. */
    nonce: string
    /** True for an unused address that was handed out before. */
    reused: boolean
    /** When fresh addresses are handed out again; null while they are. */
    limitResetsAt: string | null
  }
  /** A page of one-time addresses. */
  AddressPage: {
    /** The addresses of this page, oldest first. */
    items: readonly (Schemas['OwnedAddress'])[]
    /** Number of addresses that match, on all pages. */
    total: number
    /** `cursor` of the next page; null after the last. */
    nextCursor: string | null
    /** Chains whose activity and balances are included. */
    checkedChainIds: readonly (number)[]
  }
  /** A one-time address of the account. */
  OwnedAddress: {
    /** The purpose of the address; null where that was not recorded. */
    generationContext: Schemas['GenerationContext'] | null
    /** The one-time address, the same on every chain. */
    address: Address
    /** Derivation nonce of the address: its number among the account’s one-time addresses, from 0. */
    nonce: number
    /** When the address was made. */
    createdAt: string
    /** True when a transaction touched the address. */
    hasActivity: boolean
    /** Number of transactions that touched the address. */
    activityCount: number
    /** True while a submitted quote pays from the address or to it. */
    hasPendingActivity: boolean
    /** True when the address holds something. */
    hasBalance: boolean
    /** Balances and apps; absent unless `includeSummary` is true. */
    summary?: Schemas['AddressSummary']
  }
  /** external: to be paid at. fund-movement: made by the service to move funds to. */
  GenerationContext: "external" | "fund-movement"
  /** The holdings of an address, and the apps that used it. */
  AddressSummary: {
    /** One entry per token and chain. */
    balances: readonly (Schemas['AddressBalanceSummary'])[]
    /** Value of all that the address holds in US dollars; null when nothing of it has a price. */
    totalUsdBalance: number | null
    /** The apps that were shown this address. */
    usedApps: readonly (Schemas['UsedApp'])[]
  }
  /** The balance of one token at an address. */
  AddressBalanceSummary: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Contract of the token; the zero address is the native coin. */
    token: Address
    /** Amount of the token that the address holds, in the smallest unit. */
    amount: string
    /** Symbol of the token; empty if neither a list nor its contract has one. */
    tokenSymbol: string
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** URL of a picture of the token; null without one. */
    logoUrl: string | null
    /** Value of `amount` in US dollars; null without a price. */
    usdAmount: number | null
  }
  /** An app that an address was shown. */
  UsedApp: {
    /** Scheme, host and port of the app. */
    origin: string
    /** Name of the app: the host of its origin. */
    displayName: string
    /** URL of the app’s picture; null without one. */
    iconUrl: string | null
  }
  /** Whether the address is the account’s. */
  AddressOwnership: {
    /** True for a one-time address of the account. */
    owned: boolean
  }
  /** A page of apps and the addresses they were shown. */
  DappAddressPage: {
    /** The entries of this page, the latest use first. */
    items: readonly (Schemas['DappAddress'])[]
    /** True when another page follows. */
    hasMore: boolean
  }
  /** An app, and an address that it was shown. */
  DappAddress: {
    /** The account’s address that the app was shown. */
    address: Address
    app: Schemas['UsedApp']
    /** When the app was last shown the address. */
    lastUsedAt: string
  }
  /** The app that wants to know an address. */
  ConnectAppBody: {
    /** The page that asks, as a browser writes its origin: `https://app.example`, or `http://localhost` with a port. */
    origin: string
  }
  /** The address by which an app knows the account. */
  AppAddress: {
    /** A one-time address. The service gives it to no other app and to no payer. */
    address: Address
    /** Derivation nonce of the address: its number among the account’s one-time addresses, from 0. */
    nonce: number
    /** True when the app was not shown an address before. */
    isNew: boolean
    /** The facts known about the app. */
    app: Schemas['KnownApp']
  }
  /** recognised: the operator listed exactly this origin. unknown: the service does not know it. blocked: it is refused. */
  RecognitionStatus: "recognised" | "unknown" | "blocked"
  /** The facts known about an app. */
  KnownApp: {
    /** Scheme, host and port of the app. */
    origin: string
    /** Name of the app as the operator listed it; else its host. */
    displayName: string
    /** URL of the app’s picture; null without one. */
    iconUrl: string | null
    recognitionStatus: Schemas['RecognitionStatus']
    /** True for a recognised origin; says nothing of any transaction. */
    verified: boolean
  }
  /** Balances, and what they are worth. */
  BalanceSheet: {
    /** One entry per token and chain. */
    balances: readonly (Schemas['Balance'])[]
    /** Sum of what has a price, in US dollars; null when there is something and none of it has a price. */
    totalUsdAmount: number | null
    pricing: Schemas['Pricing']
    feeWaiver: Schemas['FeeWaiver']
  }
  /** An account’s balance of one token on one chain. */
  Balance: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Name of the chain, as the operator configured it. */
    chainName: string
    /** Contract of the token; the zero address is the native coin. */
    token: Address
    /** Symbol of the token; empty if neither a list nor its contract has one. */
    tokenSymbol: string
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** URL of a picture of the token; null without one. */
    logoUrl: string | null
    visible: Schemas['VisibleBalance']
    incognito: Schemas['IncognitoBalance']
    /** Value of the visible balance in US dollars; null when there is one and no price. */
    usdAmount: number | null
    /** US dollars per whole token; null without a price. */
    pricePerToken: number | null
    /** True when the price is older than it should be and no newer one is known. */
    priceStale: boolean
    /** When the price was observed; null without a price. */
    priceObservedAt: string | null
    /** True when the token looks like spam or phishing. */
    spam: boolean
  }
  /** Amount at the account’s addresses, in the smallest unit. */
  VisibleBalance: {
    /** Amount that can be spent now, in the smallest unit. */
    available: string
    /** Amount that quotes have reserved or that is being sent, in the smallest unit. */
    pending: string
  }
  /** Funds that an observer cannot connect with the account. */
  IncognitoBalance: {
    pooled: Schemas['PooledBalance']
  }
  /** Amount that pools hold for the account, in the smallest unit. */
  PooledBalance: {
    /** Approved deposits that can be withdrawn now. */
    available: string
    /** Deposits that the association set provider has not decided on yet. */
    pendingApproval: string
    /** Approved deposits that a pending withdrawal has locked; still the account’s. */
    pendingWithdrawal: string
    /** Refused deposits; they can be recovered to the visible balance. */
    declined: string
  }
  /** How well balances are priced. */
  Pricing: {
    /** Number of balances that are not zero. */
    nonZeroAssetCount: number
    /** Number of those balances that have a price. */
    pricedAssetCount: number
    /** Number of those balances that have no price. */
    unpricedAssetCount: number
    /** When the oldest of the prices was observed; null without any price. */
    oldestPriceObservedAt: string | null
    /** When the newest of the prices was observed; null without any price. */
    newestPriceObservedAt: string | null
  }
  /** No service fees while it is active. */
  FeeWaiver: {
    /** True while the account pays no service fees. */
    active: boolean
    /** The reason for the waiver; null while inactive. */
    source: Schemas['FeeWaiverSource'] | null
    /** When the waiver ends; null while inactive, and for a waiver without an end. */
    activeUntil: string | null
  }
  /** activation: the offer to new accounts. collectible: one that was deposited. */
  FeeWaiverSource: "activation" | "collectible"
  /** Addresses and what they have. */
  AddressBalancesPage: {
    /** Every group of sources that entries of this answer name by `labelGroupId`, once; empty where they name none. */
    provenanceLabelGroups: readonly (Schemas['ProvenanceLabelGroup'])[]
    /** The facts known about the app of `dappOrigin`; null when none was given. */
    dapp: Schemas['KnownApp'] | null
    /** Addresses that hold something, in the order in which they were made. */
    addresses: readonly (Schemas['AddressBalances'])[]
    /** Number of such addresses, whatever `limit` and `offset` are. */
    total: number
  }
  /** Sources that are named together. */
  ProvenanceLabelGroup: {
    /** Opaque. The same sources have the same id in every answer to the account, and another for each other account. */
    labelGroupId: string
    /** Number of its sources. */
    sourceCount: number
    /** True when not all of them are in `sources`. */
    truncated: boolean
    /** Its sources in the order of their ids, 64 at most. */
    sources: readonly (Schemas['ProvenanceSource'])[]
  }
  /** An address of the account at which money arrived. */
  ProvenanceSource: {
    /** `kind`, a colon and `address`: the same in every answer. */
    id: string
    kind: Schemas['ProvenanceSourceKind']
    /** The first transfer that made it a source; null where it is not known. */
    origin: Schemas['ProvenanceSourceOrigin'] | null
    /** The account’s address that the money arrived at, and that a tag is on. */
    address: Address
    /** The tag on the address, base64 of what the client encrypted; null without one. */
    tagPayloadCiphertext: string | null
    /** When the tag was last written; null without one. */
    tagPayloadUpdatedAt: string | null
    tagEligibility: Schemas['TagEligibility']
    /** True where a client offers to write or clear the tag: of all that is eligible or has one. */
    tagEditable: boolean
    /** What the service knows of the address besides transfers; empty for one that no app was shown. */
    systemTags: readonly (Schemas['ProvenanceSourceTag'])[]
  }
  /** receive: it was paid in the open. private: it was paid out of a pool. */
  ProvenanceSourceKind: "receive" | "private"
  /** The transfer by which a source’s money first arrived. */
  ProvenanceSourceOrigin: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Hash of the transaction that paid the address; its transfers show who sent what. */
    txHash: string
    /** Index of the transfer’s log in its block; of native coins, the place of the call in the trace of the transaction. */
    transferOrLogIndex: number
  }
  /** eligible: a tag says who paid. private_origin: nobody can tell who paid, as a pool did. */
  TagEligibility: "eligible" | "private_origin"
  /** A fact about the address of a source. */
  ProvenanceSourceTag: {
    /** Kind of tag: apps were shown the address. */
    type: "app-use"
    /** The tag in English, to show to a person. */
    text: string
    /** Key by which a client looks up its own explanation. */
    explanationKey: "app_use"
    evidence: Schemas['ProvenanceAppEvidence']
  }
  /** What the service was told by the account’s clients: which apps they showed the address. No chain shows it. */
  ProvenanceAppEvidence: {
    /** The account’s address that was shown. */
    address: Address
    /** The apps, the one that it was shown last first. */
    origins: readonly (Schemas['ProvenanceApp'])[]
    /** The origin that the request named as `dappOrigin`, if it is one of these; null otherwise. */
    matchedOrigin: string | null
    /** When the address was last shown to any of them. */
    latestUsedAt: string
  }
  /** An app that the address of a source was shown. */
  ProvenanceApp: {
    /** Scheme, host and port of the app. */
    origin: string
    /** Name of the app: the host of its origin. */
    displayName: string
    /** URL of the app’s picture; null without one. */
    iconUrl: string | null
    /** When the address was last shown to the app. */
    lastUsedAt: string
  }
  /** A one-time address and what it has. */
  AddressBalances: {
    /** The one-time address of the account. */
    address: Address
    /** Derivation nonce of the address: its number among the account’s one-time addresses, from 0. */
    nonce: number
    /** When a withdrawal from a pool last paid the address; null when none did. */
    lastPrivatelyFundedAt: string | null
    /** Origins (scheme, host and port) of the apps that were shown this address. */
    usedOrigins: readonly (string)[]
    /** The apps that were shown this address. */
    usedApps: readonly (Schemas['UsedApp'])[]
    /** True when the app of `dappOrigin` was shown this address. */
    recentlyUsedByDapp: boolean
    /** Value of all that the address holds in US dollars; null when nothing of it has a price. */
    totalUsdBalance: number | null
    /** One entry per token and chain. */
    balances: readonly (Schemas['AddressBalance'])[]
  }
  /** The balance of one token at an address, and its receipts. */
  AddressBalance: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Name of the chain, as the operator configured it. */
    chainName: string
    /** Contract of the token; the zero address is the native coin. */
    token: Address
    /** Symbol of the token; empty if neither a list nor its contract has one. */
    tokenSymbol: string
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** URL of a picture of the token; null without one. */
    logoUrl: string | null
    /** Amount that the address holds, available and pending, in the smallest unit. */
    amount: string
    /** Amount that can be spent now, in the smallest unit. */
    available: string
    /** Amount that quotes have reserved, in the smallest unit. */
    pending: string
    /** Value of `amount` in US dollars; null without a price. */
    usdAmount: number | null
    /** US dollars per whole token; null without a price. */
    pricePerToken: number | null
    /** True when the price is older than it should be and no newer one is known. */
    priceStale: boolean
    /** When the price was observed; null without a price. */
    priceObservedAt: string | null
    /** True for a token in the token list and for one that the operator configured. */
    listed: boolean
    /** How often this address received the token. */
    idCount: number
    addressSummary: Schemas['ReceiveSummary']
    provenance: Schemas['Provenance']
    /** When the address last received the token; null when no receipt of it is known. */
    lastReceivedAt: string | null
  }
  /** How often, and in what, an address was paid. */
  ReceiveSummary: {
    /** Receipts of the address, without those that look like spam. */
    receiveCount: number
    /** All receipts of the address, likely spam included. */
    rawReceiveCount: number
    /** Number of receipts of at least a cent that are not likely spam. The net receipt of a token in one transaction counts once. */
    trustedReceiveActionCount: number
    /** Kinds of activity that brought it, each once, sorted: RECEIVE is money from others. */
    trustedReceiveActionTypes: readonly (string)[]
    /** Different tokens that were received, without likely spam. */
    assetCount: number
    /** Different chains on which they were received. */
    chainCount: number
  }
  /** The origin of funds, as far as the chain shows it. First in, first out is a convention to show parts of a balance; what an observer joins is the address, which `association` tells. */
  Provenance: {
    status: Schemas['ProvenanceStatus']
    /** Parts of the funds that the chain proves to be paid out of a pool; empty without any. */
    outputSystemTags: readonly (Schemas['OutputSystemTag'])[]
    /** Entry of `provenanceLabelGroups` that holds the account’s addresses that the funds came from at once, or arrived at from outside; null without any. */
    sourceLabelGroupId: string | null
    /** Parts of the funds that came before the service issued the address, or by ways that no node shows, or from such parts. */
    olderFundsCount: number
    /** Keys for programs, empty where all is known. history_incomplete: the past of the address, or of one that it is joined with, is still being read. untraced_native: nodes of the chain do not show all moves of native coins. holding_stale: the balance could not be read. too_much_history: more transfers than the service reads. too_many_sources: more than 64. passed_through: the transaction left nothing of the token at the address and took nothing from it. pool_spend: paid out of a pool; the service does not join a note with its deposit. */
    unresolvedReasons: readonly (string)[]
    displayContext: Schemas['ProvenanceDisplayContext']
    funding: Schemas['ProvenanceFunding']
    association: Schemas['ProvenanceAssociation']
    display: Schemas['ProvenanceDisplay']
    /** The only source of the funds; null where there is none, or several. */
    editableSource: Schemas['ProvenanceSource'] | null
  }
  /** resolved: the chain shows where the funds came from. unavailable: it does not, and `unresolvedReasons` say why. */
  ProvenanceStatus: "resolved" | "unavailable"
  /** A fact about the origin that the chain proves. */
  OutputSystemTag: {
    /** Kind of tag: paid out by a privacy provider. */
    type: "privacy-provider-origin"
    /** Privacy provider that paid, for example `privacy-pools`. */
    provider: string
    /** The tag in English, to show to a person. */
    text: string
    /** Key by which a client looks up its own explanation. */
    explanationKey: "privacy_provider_origin"
    evidence: Schemas['PrivacyProviderEvidence']
  }
  /** Events on chain that prove the origin. */
  PrivacyProviderEvidence: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Hash of the transaction that paid the address; its transfers show who sent what. */
    txHash: string
    /** Index of the transfer’s log in its block; of native coins, the place of the call in the trace of the transaction. */
    transferOrLogIndex: number
    /** Address that the transfer came from: the same as `entrypointAddress`, which takes the payment from the pool. */
    receiveFromAddress: Address
    /** Contract of the pool, which emitted `Withdrawn` in the transaction. */
    poolAddress: Address
    /** Entrypoint contract of that pool, which emitted `WithdrawalRelayed` with the asset, the amount and the fee. */
    entrypointAddress: Address
    /** Index of the pool’s `Withdrawn` event in its block; null where none was found. */
    poolTransferOrLogIndex: number | null
  }
  /** Why the origin is shown as it is. */
  ProvenanceDisplayContext: {
    reason: Schemas['ProvenanceReason']
    /** Parts that make up the funds; likely spam counts where there is nothing else. */
    currentOutputCount: number
    /** Distinct sources that the funds came from. */
    sourceCount: number
    /** Kinds of the account’s own activity that brought the parts, each once; empty where others paid. */
    actionTypes: readonly (string)[]
  }
  /** The sources of the funds, first in, first out. fresh_receive: outside money at this address. platform_action_output: brought by an action of the account, such as a swap, or out of a pool. carried_source: moved here from the account’s own addresses. mixed_current_outputs: several of these, or several sources. */
  ProvenanceReason: "fresh_receive" | "platform_action_output" | "mixed_current_outputs" | "carried_source" | "older_funds" | "unavailable"
  /** The ultimate sources of the money. */
  ProvenanceFunding: {
    /** Entry of `provenanceLabelGroups` that holds the sources; null without any. */
    labelGroupId: string | null
    /** Parts of the funds that came before the service issued the address, or by ways that no node shows, or from such parts. */
    olderFundsCount: number
    /** Keys for programs, empty where all is known. history_incomplete: the past of the address, or of one that it is joined with, is still being read. untraced_native: nodes of the chain do not show all moves of native coins. holding_stale: the balance could not be read. too_much_history: more transfers than the service reads. too_many_sources: more than 64. passed_through: the transaction left nothing of the token at the address and took nothing from it. pool_spend: paid out of a pool; the service does not join a note with its deposit. */
    unresolvedReasons: readonly (string)[]
  }
  /** Which sources an observer of the chain can join the address with, whatever it holds now. Addresses of the account that paid each other, or paid in one transaction, stay joined for ever. */
  ProvenanceAssociation: {
    status: Schemas['ProvenanceAssociationStatus']
    /** Entry of `provenanceLabelGroups` that holds all these sources; null without any. */
    labelGroupId: string | null
    /** 1 when such older funds are among them, otherwise 0: they are not distinguished. */
    olderFundsCount: number
    /** Keys for programs, empty where all is known. history_incomplete: the past of the address, or of one that it is joined with, is still being read. untraced_native: nodes of the chain do not show all moves of native coins. holding_stale: the balance could not be read. too_much_history: more transfers than the service reads. too_many_sources: more than 64. passed_through: the transaction left nothing of the token at the address and took nothing from it. pool_spend: paid out of a pool; the service does not join a note with its deposit. */
    unresolvedReasons: readonly (string)[]
    /** Receipts of this address that count as no source, because the account did not ask for them: likely spam, or less than a cent. Transfers of nothing are not counted. */
    ignoredUnsolicitedCount: number
    summary: Schemas['ProvenanceAssociationSummary']
  }
  /** clean: at most one source. linked: several. unknown: sources may be missing. */
  ProvenanceAssociationStatus: "clean" | "linked" | "unknown"
  /** How many sources there are of each kind. */
  ProvenanceAssociationSummary: {
    /** Sources that an observer can join the address with; its own is one. */
    sourceCount: number
    /** Sources whose address the user has tagged. */
    userTaggedSourceCount: number
    /** Sources whose address has no tag. */
    untaggedSourceCount: number
    /** 1 when such older funds are among them, otherwise 0: they are not distinguished. */
    olderFundsCount: number
    /** Reasons for which sources may be missing: the number of `unresolvedReasons`. */
    unknownCount: number
  }
  /** Texts and badge for a client to show. */
  ProvenanceDisplay: {
    badgeKind: Schemas['ProvenanceBadge']
    /** Text of the badge in English; null where the user’s tags say it, which the client decrypts, and where nothing is to be said. */
    label: string | null
    /** How the money came, in English; null where the user’s tags say it. */
    fundingLabel: string | null
    /** Parties that an observer can connect the address with, in English; null if there is none. */
    associationLabel: string | null
  }
  /** unknown: the origin is unavailable. older_funds: all is older. tagged: every source has a tag. mixed: several sources, or one and older funds. untagged: one source. */
  ProvenanceBadge: "tagged" | "mixed" | "older_funds" | "unknown" | "untagged"
  /** All addresses that hold something. */
  FundedAddresses: {
    /** In the order in which they were made. */
    addresses: readonly (Schemas['FundedAddress'])[]
  }
  /** A one-time address that holds something. */
  FundedAddress: {
    /** The one-time address of the account. */
    address: Address
    /** Derivation nonce of the address: its number among the account’s one-time addresses, from 0. */
    nonce: number
    /** Origins (scheme, host and port) of the apps that were shown this address. */
    usedOrigins: readonly (string)[]
    /** One entry per token and chain. */
    balances: readonly (Schemas['FundedBalance'])[]
  }
  /** The balance of one token at an address. */
  FundedBalance: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Name of the chain, as the operator configured it. */
    chainName: string
    /** Contract of the token; the zero address is the native coin. */
    token: Address
    /** Symbol of the token; empty if neither a list nor its contract has one. */
    tokenSymbol: string
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** URL of a picture of the token; null without one. */
    logoUrl: string | null
    /** Amount that the address holds, available and pending, in the smallest unit. */
    amount: string
    /** Amount that can be spent now, in the smallest unit. */
    available: string
    /** Amount that quotes have reserved, in the smallest unit. */
    pending: string
    /** Value of `amount` in US dollars; null without a price. */
    usdAmount: number | null
    /** US dollars per whole token; null without a price. */
    pricePerToken: number | null
    /** True when the price is older than it should be and no newer one is known. */
    priceStale: boolean
  }
  /** The public key that verifies the signatures of quotes. */
  QuoteSignerKey: {
    /** The uncompressed point in hex, without 0x. */
    publicKey: string
    /** Encoding of `publicKey`: always `hex`. */
    format: "hex"
    /** Elliptic curve of the key: always `P-256`. */
    curve: "P-256"
    /** Signature algorithm, over SHA-256: always `ECDSA`. */
    algorithm: "ECDSA"
  }
  /** The marks that this service may put behind the arguments of calls. */
  Attribution: {
    /** Codes of ERC-8021 suffixes; empty when calls carry none. */
    codes: readonly (string)[]
    /** Integrator ids of Across, two bytes each; empty when deposits carry none. */
    integratorIds: readonly (Hex)[]
  }
  /** The requested quote. */
  QuoteRequest: Schemas['SendQuoteRequest'] | Schemas['SwapQuoteRequest'] | Schemas['PoolDepositQuoteRequest'] | Schemas['DappCallQuoteRequest'] | Schemas['OfframpQuoteRequest'] | Schemas['OfframpWithdrawQuoteRequest'] | Schemas['IncognitoSendQuoteRequest'] | Schemas['IncognitoSelfSendQuoteRequest']
  /** A request for a quote of the type `send`. */
  SendQuoteRequest: {
    /** Kind of quote. */
    type: "send"
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** The one address of the account that is to pay; null lets the service choose. */
    singleAddress?: Address | null
    /** Accepted and ignored: every quote is simulated. */
    executionSimulation?: unknown
    /** Seconds until the quote ends and its funds are free again; the service chooses without it. */
    ttl?: number
    /** Contract of the token to send; the zero address is the native coin. */
    token: Address
    /** Amount that the recipient gets, that notes of a pool are worth, or that is sold or withdrawn, in the smallest unit. Ignored with `maxSend`. */
    amount?: string
    /** True sends, deposits or sells all that can be after fees. */
    maxSend?: boolean
    /** Decimals of the spent token as the client knows it; 400 DECIMALS_MISMATCH if it has others. */
    decimals?: number
    /** The recipient: an address or a name. */
    destinationAddress: string
    /** The pair of the 409 that the user has seen and accepts; no other pair counts. */
    acknowledgedAddressPoisoningMatch?: Schemas['AcknowledgedPoisoningMatch'] | null
    /** The addresses of a 400 PROVENANCE_MIX, if the user accepts that they are joined on chain: exactly those that pay, no more and no less. `spendableAddresses` accepts nothing. */
    acknowledgedProvenanceMix?: readonly (Address)[] | null
    /** `resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts. */
    acknowledgedContractRecipient?: Address | null
  }
  /** A likeness that the user has seen and accepts. */
  AcknowledgedPoisoningMatch: {
    /** `resolvedAddress` of the 409: the address that imitates. */
    recipientAddress: Address
    /** `matchedAddress` of the 409: the known address. */
    matchedAddress: Address
  }
  /** A request for a quote of the type `swap`. */
  SwapQuoteRequest: {
    /** Kind of quote. */
    type: "swap"
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** The one address of the account that is to pay; null lets the service choose. */
    singleAddress?: Address | null
    /** Accepted and ignored: every quote is simulated. */
    executionSimulation?: unknown
    /** Seconds until the quote ends and its funds are free again; the service chooses without it. */
    ttl?: number
    /** Contract of the token to give in a swap; the zero address is the native coin. */
    tokenIn: Address
    /** Contract of the token to get by a swap; the zero address is the native coin. */
    tokenOut: Address
    /** Amount to swap, in the smallest unit of `tokenIn`; fees come on top. */
    amountIn: string
    /** auto: the service chooses the slippage of a swap, also where this is left out without `slippageBps`. custom: `slippageBps`. Wrapping and unwrapping have none. */
    slippageMode?: Schemas['SlippageMode'] | null
    /** Slippage to accept in a swap, in basis points, at most 5000; wrapping and unwrapping have none. */
    slippageBps?: number | null
    /** Chain on which the output of a swap is wanted; `chainId` when it is left out. */
    tokenOutChainId?: number | null
    /** The price impact that the user has seen and accepts, in percent: above 15 a swap is refused without it. */
    acknowledgedPriceImpact?: number | null
    /** Decimals of the spent token as the client knows it; 400 DECIMALS_MISMATCH if it has others. */
    decimals?: number
    /** The recipient: an address or a name. Without one, a swap pays a fresh address of the account. */
    destinationAddress?: string
    /** The pair of the 409 that the user has seen and accepts; no other pair counts. */
    acknowledgedAddressPoisoningMatch?: Schemas['AcknowledgedPoisoningMatch'] | null
    /** The addresses of a 400 PROVENANCE_MIX, if the user accepts that they are joined on chain: exactly those that pay, no more and no less. `spendableAddresses` accepts nothing. */
    acknowledgedProvenanceMix?: readonly (Address)[] | null
    /** `resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts. */
    acknowledgedContractRecipient?: Address | null
  }
  /** auto: by the service. custom: by the client. */
  SlippageMode: "auto" | "custom"
  /** A request for a quote of the type `pool_deposit`. */
  PoolDepositQuoteRequest: {
    /** Kind of quote. */
    type: "pool_deposit"
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** The one address of the account that is to pay; null lets the service choose. */
    singleAddress?: Address | null
    /** Accepted and ignored: every quote is simulated. */
    executionSimulation?: unknown
    /** Seconds until the quote ends and its funds are free again; the service chooses without it. */
    ttl?: number
    /** Contract of the token to send, to deposit into its pool, or to sell for money; the zero address is the native coin. */
    token: Address
    /** Amount that the recipient gets, that notes of a pool are worth, or that is sold or withdrawn, in the smallest unit. Ignored with `maxSend`. */
    amount?: string
    /** True sends, deposits or sells all that can be after fees. */
    maxSend?: boolean
    /** Decimals of the spent token as the client knows it; 400 DECIMALS_MISMATCH if it has others. */
    decimals?: number
    /** One for each address that deposits, by consecutive indices; only as many as needed are used. A deposit into a pool needs them: 400 PRECOMMITMENTS_NEEDED says how many and from which index. */
    precommitments?: readonly (Schemas['DepositPrecommitment'])[]
  }
  /** Identifies a note that only the depositor can spend. */
  DepositPrecommitment: {
    /** By which the wallet derives the secrets of the note: the n-th deposit of the account in the pool has n − 1. */
    depositIndex: number
    /** Poseidon(nullifier, secret) of the note, in decimal digits. */
    precommitment: string
  }
  /** A request for a quote of the type `dapp_call`. */
  DappCallQuoteRequest: {
    /** Kind of quote. */
    type: "dapp_call"
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** The one address of the account that is to pay; null lets the service choose. */
    singleAddress?: Address | null
    /** Accepted and ignored: every quote is simulated. */
    executionSimulation?: unknown
    /** Seconds until the quote ends and its funds are free again; the service chooses without it. */
    ttl?: number
    /** The page that asks, as a browser writes its origin: `https://app.example`. A call of an app needs it. */
    origin: string
    /** The app’s calls, at most 16 with 65,536 bytes of calldata, in their order, all or nothing. A call of an app needs it. */
    calls: readonly (Schemas['DappCallItem'])[]
    /** The account’s address that the app knows, which calls and pays; `dapp-addresses` has it. A call of an app needs it. */
    connectedAddress: Address
    /** Text for the user, one line of visible characters; stored for the activity. */
    description?: string | null
    /** Contract of the token to send, to deposit into its pool, or to sell for money; the zero address is the native coin. */
    token?: Address
  }
  /** One call of an app. */
  DappCallItem: {
    /** The contract or person that is called; not the account itself. */
    to: Address
    /** Wei that the call carries; 0 unless given. */
    value?: string
    /** Calldata; empty unless given. */
    data?: Hex
  }
  /** A request for a quote of the type `offramp`. */
  OfframpQuoteRequest: {
    /** Kind of quote. */
    type: "offramp"
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** The one address of the account that is to pay; null lets the service choose. */
    singleAddress?: Address | null
    /** Accepted and ignored: every quote is simulated. */
    executionSimulation?: unknown
    /** Seconds until the quote ends and its funds are free again; the service chooses without it. */
    ttl?: number
    /** Contract of the token to send, to deposit into its pool, or to sell for money; the zero address is the native coin. */
    token: Address
    /** Amount that the recipient gets, that notes of a pool are worth, or that is sold or withdrawn, in the smallest unit. Ignored with `maxSend`. */
    amount?: string
    /** True sends, deposits or sells all that can be after fees. */
    maxSend?: boolean
    /** Decimals of the spent token as the client knows it; 400 DECIMALS_MISMATCH if it has others. */
    decimals?: number
    /** Chain whose escrow sells the token; `chainId` when it is left out. */
    escrowChainId?: number | null
    /** Payment app or bank by which buyers pay, by the venue’s name for it: `venmo`. A cash-out needs it. */
    paymentMethod: string
    /** Currency that buyers pay, by ISO 4217: `USD`. A cash-out needs it. */
    currency: string
    /** Handle of the payee, as the payment app has it. Sent to the venue’s curator, stored encrypted, and erased when the cash-out ends. A cash-out needs it. */
    payee: string
  }
  /** A request for a quote of the type `offramp_withdraw`. */
  OfframpWithdrawQuoteRequest: {
    /** Kind of quote. */
    type: "offramp_withdraw"
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** The one address of the account that is to pay; null lets the service choose. */
    singleAddress?: Address | null
    /** Accepted and ignored: every quote is simulated. */
    executionSimulation?: unknown
    /** Seconds until the quote ends and its funds are free again; the service chooses without it. */
    ttl?: number
    /** Amount that the recipient gets, that notes of a pool are worth, or that is sold or withdrawn, in the smallest unit. Ignored with `maxSend`. */
    amount?: string
    /** The cash-out to withdraw: `peerDepositId` of its activity. Without an amount all that no buyer holds comes back, and buyers find it no more. A withdrawal of a cash-out needs it. */
    depositId: string
  }
  /** A request for a quote of the type `incognito_send`. */
  IncognitoSendQuoteRequest: {
    /** Kind of quote. */
    type: "incognito_send"
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** The one address of the account that is to pay; null lets the service choose. */
    singleAddress?: Address | null
    /** Accepted and ignored: every quote is simulated. */
    executionSimulation?: unknown
    /** Seconds until the quote ends and its funds are free again; the service chooses without it. */
    ttl?: number
    /** Contract of the token to send, to deposit into its pool, or to sell for money; the zero address is the native coin. */
    token: Address
    /** Amount that the recipient gets, that notes of a pool are worth, or that is sold or withdrawn, in the smallest unit. Ignored with `maxSend`. */
    amount?: string
    /** True sends, deposits or sells all that can be after fees. */
    maxSend?: boolean
    /** Decimals of the spent token as the client knows it; 400 DECIMALS_MISMATCH if it has others. */
    decimals?: number
    /** The recipient: an address or a name. Without one, a swap pays a fresh address of the account. */
    destinationAddress?: string
    /** The pair of the 409 that the user has seen and accepts; no other pair counts. */
    acknowledgedAddressPoisoningMatch?: Schemas['AcknowledgedPoisoningMatch'] | null
    /** The addresses of a 400 PROVENANCE_MIX, if the user accepts that they are joined on chain: exactly those that pay, no more and no less. `spendableAddresses` accepts nothing. */
    acknowledgedProvenanceMix?: readonly (Address)[] | null
    /** `resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts. */
    acknowledgedContractRecipient?: Address | null
  }
  /** A request for a quote of the type `incognito_self_send`. */
  IncognitoSelfSendQuoteRequest: {
    /** Kind of quote. */
    type: "incognito_self_send"
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** The one address of the account that is to pay; null lets the service choose. */
    singleAddress?: Address | null
    /** Accepted and ignored: every quote is simulated. */
    executionSimulation?: unknown
    /** Seconds until the quote ends and its funds are free again; the service chooses without it. */
    ttl?: number
    /** Contract of the token to send, to deposit into its pool, or to sell for money; the zero address is the native coin. */
    token: Address
    /** Amount that the recipient gets, that notes of a pool are worth, or that is sold or withdrawn, in the smallest unit. Ignored with `maxSend`. */
    amount?: string
    /** True sends, deposits or sells all that can be after fees. */
    maxSend?: boolean
    /** Decimals of the spent token as the client knows it; 400 DECIMALS_MISMATCH if it has others. */
    decimals?: number
    /** The recipient: an address or a name. Without one, a swap pays a fresh address of the account. */
    destinationAddress?: string
    /** The pair of the 409 that the user has seen and accepts; no other pair counts. */
    acknowledgedAddressPoisoningMatch?: Schemas['AcknowledgedPoisoningMatch'] | null
    /** The addresses of a 400 PROVENANCE_MIX, if the user accepts that they are joined on chain: exactly those that pay, no more and no less. `spendableAddresses` accepts nothing. */
    acknowledgedProvenanceMix?: readonly (Address)[] | null
    /** `resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts. */
    acknowledgedContractRecipient?: Address | null
  }
  /** The data to sign, its effects and its cost. */
  Quote: {
    /** Id of this quote, for submit, refresh and unlock. */
    quoteId: string
    /** When the quote ends and its funds are free again. */
    expiresAt: string
    /** ECDSA P-256 over SHA-256 of the canonical JSON (RFC 8785) of this answer without `signature` and without members that are null: 64 bytes r‖s in hex. */
    signature: string
    /** Data to sign by EIP-712: one intent per address that pays. */
    intents: readonly (Schemas['QuotedIntent'])[]
    /** Data to sign by EIP-7702: one per paying address that has not delegated yet. */
    delegations: readonly (Schemas['QuotedDelegation'])[]
    signingReview: Schemas['SigningReview']
    /** Amount that the recipient gets, in the smallest unit of `outputToken`. */
    expectedOutput: string
    /** Least amount that the recipient gets, in the smallest unit of `outputToken`. */
    minimumOutput: string
    /** Token that the recipient gets; the zero address is the native coin. */
    outputToken: Address
    /** Decimals of `outputToken`: a whole token is 10^decimals smallest units. */
    outputDecimals: number
    /** Symbol of `outputToken`, as its contract or the token list has it. */
    outputSymbol: string
    /** Address that gets the output; a name is resolved to it. */
    outputRecipient: Address
    /** True when the recipient is one of the account’s own addresses. */
    outputRecipientOwned: boolean
    /** The name that was given as destination; null where an address was given. */
    destinationName: Schemas['DestinationName'] | null
    /** The known address that the recipient imitates; null where it imitates none. */
    addressPoisoningMatch: Schemas['AddressPoisoningMatch'] | null
    refresh: Schemas['QuoteRefresh']
    /** Service fee in basis points of the amount sent; 0 where it is waived. */
    protocolFeeBps: number
    /** Service fee in the smallest unit of the sent token. */
    protocolFeeAmount: string
    /** All that leaves the addresses: the amount sent and the fees. */
    amountIn: string
    /** The addresses that pay, and what each one pays. */
    selectedFundingSources: readonly (Schemas['FundingSource'])[]
    /** Facts that observers of the chain learn from this payment; empty when nothing speaks against it. */
    fundingCaveats: readonly (Schemas['FundingCaveat'])[]
    /** Every group of sources that entries of this answer name by `labelGroupId`, once; empty where they name none. */
    provenanceLabelGroups: readonly (Schemas['ProvenanceLabelGroup'])[]
    fees: Schemas['QuoteFees']
    /** `recover` for a recovered deposit; else absent. */
    kind?: "recover" | null
    /** The pool that is paid, or that pays back; absent where a quote has to do with none. */
    poolAddress?: Address | null
    /** The recovered note; absent for other quotes. */
    commitmentId?: string | null
    /** The account’s address that the collectible leaves; absent for other quotes. */
    depositAddress?: Address | null
    /** Recipient of the collectible; absent for other quotes. */
    recipientAddress?: Address | null
    /** Number of the collectible, whose contract is `outputToken`; absent for other quotes. */
    tokenId?: string | null
    /** Receiver of the refund of a failed bridge; null on one chain. */
    recoveryRecipient?: Address | null
    /** Bridge that carries the funds; null on one chain. */
    bridgeProvider?: string | null
    /** How long a bridge takes, in milliseconds; null on one chain. */
    estimatedFillTimeMs?: number | null
    /** When a bridge gives up; null on one chain. */
    fillDeadline?: string | null
    /** auto: the service chooses the slippage of a swap, also where this is left out without `slippageBps`. custom: `slippageBps`. Wrapping and unwrapping have none. */
    slippageMode?: Schemas['SlippageMode'] | null
    /** Slippage in force, in basis points; absent where nothing is exchanged. */
    slippageBps?: number | null
    /** Slippage that was asked for; null when none was. */
    requestedSlippageBps?: number | null
    /** How the swap is made; absent where nothing is exchanged. */
    routing?: Schemas['SwapRouting'] | null
    /** By how many percent the output is below the spot price, pool fees left out, two decimals; null if no pool has a spot price, absent where nothing is exchanged. */
    priceImpact?: number | null
    /** The same through all refreshes of one swap; absent where nothing is exchanged. */
    planId?: string | null
    /** One per intent, in the order of `intents`; absent for other quotes. Each goes into a transaction of its own. */
    deposits?: readonly (Schemas['QuotedDeposit'])[] | null
    /** The page that asks, as a browser writes its origin: `https://app.example`. A call of an app needs it. */
    origin?: string | null
    /** The account’s address that the app knows, which calls and pays; `dapp-addresses` has it. A call of an app needs it. */
    connectedAddress?: Address | null
    /** Chain whose escrow sells the token; `chainId` when it is left out. */
    escrowChainId?: number | null
    /** Payment app or bank by which buyers pay, by the venue’s name for it: `venmo`. A cash-out needs it. */
    paymentMethod?: string | null
    /** Currency that buyers pay, by ISO 4217: `USD`. A cash-out needs it. */
    currency?: string | null
    /** By which the escrow names the payee, 32 bytes in hex. It is public, and the same for every cash-out to one handle. Present only for a cash-out. */
    payeeDetails?: string | null
    /** Price of a whole token now, as a decimal number of `currency`. It binds when a buyer signals. Present only for a cash-out. */
    conversionRate?: string | null
    /** Buyers never pay less for a whole token: it stands in the calldata. Present only for a cash-out. */
    minimumConversionRate?: string | null
    /** The buyers’ payment for all of it at `conversionRate`, two decimals and the currency: an estimate until they signal. Present only for a cash-out. */
    estimatedFiatAmount?: string | null
    /** The same at `minimumConversionRate`. Present only for a cash-out. */
    minimumFiatAmount?: string | null
    /** The cash-out to withdraw: `peerDepositId` of its activity. Without an amount all that no buyer holds comes back, and buyers find it no more. A withdrawal of a cash-out needs it. */
    depositId?: string | null
    /** Amount that the escrow returns now, before the fee, in the smallest unit; present only for a withdrawal of a cash-out. */
    withdrawnAmount?: string | null
    /** The withdrawals of a spend from a pool; absent for other quotes. */
    withdrawals?: readonly (Schemas['PlannedWithdrawal'])[] | null
    /** Approved deposits by accounts of the service that are worth the largest withdrawal; present only for a spend from a pool. */
    crowd?: number | null
    /** Reasons against this spend; present only for a spend from a pool. */
    privacyCaveats?: readonly (Schemas['PrivacyCaveat'])[] | null
  }
  /** EIP-712 typed data to sign with the key of `eoa`. */
  QuotedIntent: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s address that pays; its key signs the intent. */
    eoa: Address
    /** The calls of the intent: abi.encode(Call[]). */
    executionData: Hex
    /** Sequence key (192 bits) and sequence (64 bits) of the intent, in decimal digits. */
    nonce: string
    /** Derivation nonce of `eoa` among the one-time addresses, in decimal digits. */
    derivationNonce: string
    /** Payer of the Orchestrator; the zero address stands for `eoa`. */
    payer: Address
    /** Token that the Orchestrator is paid in; the zero address is the native coin. */
    paymentToken: Address
    /** Most that the Orchestrator may take, in the smallest unit of `paymentToken`. */
    paymentMaxAmount: string
    /** Gas limit of the intent, verification and calls together. */
    combinedGas: string
    /** Signed calls to execute before the intent, ABI-encoded. */
    encodedPreCalls: readonly (string)[]
    /** Transfers by `funder` to execute before the intent, ABI-encoded. */
    encodedFundTransfers: readonly (string)[]
    /** Contract that settles an intent of several chains; the zero address for none. */
    settler: Address
    /** Seconds since the epoch after which the chain refuses the intent. */
    expiry: string
    /** True when `signature` is a Merkle proof over the intents of several chains. */
    isMultichain: boolean
    /** Address that funds the intent from elsewhere; the zero address if there is none. */
    funder: Address
    /** Signature of `funder`; `0x` without one. */
    funderSignature: string
    /** Data for `settler`; `0x` without one. */
    settlerContext: string
    /** The Orchestrator’s present fee, in the smallest unit of `paymentToken`. */
    paymentAmount: string
    /** Receiver of the payment; the zero address while nothing is paid. */
    paymentRecipient: Address
    /** Signature of `payer`; `0x` where `eoa` pays. */
    paymentSignature: string
    /** Implementation that the code of `eoa` must point to; the zero address allows any. */
    supportedAccountImplementation: Address
    domain: Schemas['IntentDomain']
    types: Schemas['IntentTypes']
    /** EIP-712 primary type: always `Intent`. */
    primaryType: "Intent"
  }
  /** EIP-712 domain of the Orchestrator contract. */
  IntentDomain: {
    /** Name that the Orchestrator signs under. */
    name: string
    /** Version that the Orchestrator signs under. */
    version: string
    /** EIP-155 chain id; absent where `nonce` is good on several chains. */
    chainId?: number
    /** Contract address of the Orchestrator. */
    verifyingContract: Address
  }
  /** EIP-712 types of an intent, in the form of eth_signTypedData_v4. */
  IntentTypes: {
    /** Members of the type `Intent`, in their order. */
    Intent: readonly (Schemas['TypedDataMember'])[]
    /** Members of the type `Call`, in their order. */
    Call: readonly (Schemas['TypedDataMember'])[]
  }
  /** A member of an EIP-712 type. */
  TypedDataMember: {
    /** Name of the member in the type. */
    name: string
    /** Solidity type of the member, for example `uint256`. */
    type: string
  }
  /** EIP-7702 authorization to sign with the key of `address`. */
  QuotedDelegation: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s address that will run the contract’s code. */
    address: Address
    /** Contract whose code `address` will run. */
    contractAddress: Address
    /** Derivation nonce of `address` among the one-time addresses. */
    derivationNonce: number
    /** Transaction count of `address` that the authorization is good for. */
    authorizationNonce: number
  }
  /** Facts that a wallet shows before it signs. */
  SigningReview: {
    /** Version of this format; changes when a wallet must read it differently. */
    version: number
    /** One review per intent, in the order of `Quote.intents`. */
    intents: readonly (Schemas['IntentReview'])[]
  }
  /** Purpose of the calls of one intent. */
  IntentReview: {
    /** Positions of the calls that the user asked for, from 0. */
    userActionCallIndices: readonly (number)[]
    /** Positions of the calls that were simulated together, from 0. */
    simulationCallIndices: readonly (number)[]
    /** Parts of the calls that a wallet must check by itself; empty when there are none. */
    calldataCaveats: readonly (Schemas['CalldataCaveat'])[]
  }
  /** A part of a call that a wallet must check by itself. */
  CalldataCaveat: {
    /** Position of the call in `executionData`, from 0. */
    callIndex: number
    /** Kind of caveat, for a program. */
    kind: string
    /** Version of the rule by which a wallet checks it. */
    policyVersion: number
    /** Name of the check that a wallet runs. */
    verifier: string
    /** Bytes appended to the calldata that the contract’s ABI does not cover. */
    suffixLength: number
    /** keccak256 of the calldata without the appended bytes. */
    canonicalCalldataHash: string
    /** keccak256 of the appended bytes. */
    suffixHash: string
  }
  /** The name by which the recipient was given. */
  DestinationName: {
    /** The name in its normalised form. */
    name: string
    /** Name service that resolved it. */
    service: string
  }
  /** A known address that another one imitates. */
  AddressPoisoningMatch: {
    /** The known address that is imitated. */
    matchedAddress: Address
    /** Equal hex digits at the beginning, after 0x. */
    matchedPrefixCharsCount: number
    /** Equal hex digits at the end. */
    matchedSuffixCharsCount: number
    source: Schemas['PoisoningMatchSource']
    /** Name of the known address in the address book; null for an address that is no contact. */
    contactName: string | null
  }
  /** counterparty: the account dealt with it. own_address: the account’s own. address_book: a contact. */
  PoisoningMatchSource: "counterparty" | "own_address" | "address_book"
  /** When the price gets old, and when the quote ends. */
  QuoteRefresh: {
    /** From then on the price is old: refresh before signing. */
    after: string
    /** When the quote ends, however often it is refreshed. */
    sessionExpiresAt: string
  }
  /** An address that the quote is paid from. */
  FundingSource: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Contract of the token that is spent; the zero address is the native coin. */
    token: Address
    /** The account’s one-time address that pays. */
    address: Address
    /** Amount that leaves the address, fees included, in the smallest unit. */
    amount: string
    /** How often the address received the token. */
    idCount: number
    addressSummary: Schemas['ReceiveSummary']
    /** Origin of the holding that pays; absent where no holding pays. */
    provenance?: Schemas['Provenance']
  }
  /** A fact that an observer of the chain learns from this payment. */
  FundingCaveat: {
    kind: Schemas['FundingCaveatKind']
    /** Number of addresses that become linked; present only for `addresses_joined`. */
    addressCount?: number
    /** Cash-outs of the account to the same payee before; present only for `payee_linked`. */
    earlierCashOuts?: number
  }
  /** addresses_joined: several addresses pay together and become linked on chain. output_linked: the transaction shows that `outputRecipient` belongs to the address that pays. approval_replaced: an approval of the address is revoked. attribution: the calls carry a mark of this service, see `calldataCaveats`. beyond_default_scan: a published wallet looks for a note of such an index only on request. payee_linked: the escrow names the payee in public by `payeeDetails`, which joins the addresses of the cash-outs before to this one. amounts_linked: the amounts of the deposits show that they belong together, because they add up to what was asked for or two are equal. */
  FundingCaveatKind: "addresses_joined" | "output_linked" | "approval_replaced" | "attribution" | "beyond_default_scan" | "payee_linked" | "amounts_linked"
  /** Fees of the quote in the smallest unit of the sent token. */
  QuoteFees: {
    /** Gas with the margin that covers a rising gas price. */
    network: string
    /** Change that stays at the last of the paying addresses and is less than spending it would cost; 0 where the change is worth more, or there is none. It is not paid to anybody. */
    dust: string
    /** Service fee; `0` where it is waived. */
    service: string
    /** Value of `network` in US dollars; null without a price. */
    networkUsdAmount: number | null
    /** Value of `total` in US dollars; null without a price. */
    totalUsdAmount: number | null
    /** Vetting fee of a pool deposit; `0` for other quotes. */
    vetting: string
    /** Service fee of a pool deposit; `0` for other quotes. */
    deposit: string
    /** All fees together, without `dust`. */
    total: string
    /** True when a fee waiver suspends the service fee. */
    waived: boolean
  }
  /** CLASSIC: through pools. WRAP: native coins become wrapped ones. UNWRAP: the other way round. BRIDGE: the same asset on another chain. CHAINED: a swap and a bridge. */
  SwapRouting: "WRAP" | "UNWRAP" | "CLASSIC" | "BRIDGE" | "CHAINED"
  /** The deposit of one intent. */
  QuotedDeposit: {
    /** The account’s address that deposits, and alone can recover a declined deposit. */
    address: Address
    /** By which the wallet derives the secrets of the note: the n-th deposit of the account in the pool has n − 1. */
    depositIndex: number
    /** Poseidon(nullifier, secret) of the note, in decimal digits. */
    precommitment: string
    /** Value of the note, in the smallest unit. */
    amount: string
    /** The Entrypoint’s fee: `amount` and `vettingFee`, in the smallest unit. */
    grossAmount: string
    /** Fee of the pool’s owner, in the smallest unit. */
    vettingFee: string
    /** Fee of this service, in the smallest unit. */
    depositFee: string
  }
  /** A withdrawal that the wallet is to have relayed. */
  PlannedWithdrawal: {
    /** Id of the note in `pool/commitments`. */
    commitmentId: string
    /** Label of the deposit that the note goes back to. */
    label: string
    /** Index of that deposit; null where it was made elsewhere. */
    depositIndex: number | null
    /** How often was spent from the deposit before. */
    withdrawalIndex: number
    /** Value of the note, in the smallest unit. */
    value: string
    /** Amount that arrives after the relay fee. */
    receives: string
    /** Amount that leaves the note: `withdrawnValue` of the proof. */
    withdraws: string
    /** Relay fee in basis points by today’s gas; the relayer’s quote decides. */
    relayFeeBPS: number
    /** Value of the change note. */
    changeValue: string
    /** The withdrawalIndex of the change note. */
    changeWithdrawalIndex: number
    /** Address of the account that this withdrawal is for; present only for `incognito_self_send`. */
    recipient?: Address
    /** Derivation nonce of `recipient`, in decimal digits. */
    derivationNonce?: string
  }
  /** Reasons why an observer can guess more easily to whom the withdrawals belong. */
  PrivacyCaveat: {
    kind: Schemas['PrivacyCaveatKind']
  }
  /** equal_amount: as much leaves as a deposit was worth. soon: the deposit is less than two hours old, or fewer than ten by accounts of the service followed it. small_crowd: fewer than twenty such deposits could be the source. strands_change: the change is too small for a relay. several_notes: several withdrawals pay together. deep_chain: a published wallet may not find the change. */
  PrivacyCaveatKind: "equal_amount" | "soon" | "small_crowd" | "strands_change" | "several_notes" | "deep_chain"
  /** The body of a refusal for legal reasons. */
  LegalErrorBody: {
    /** Class of the error. */
    error: string
    /** The error, for a person. */
    message: string
    /** The error, for a program. */
    code: string
    /** Page where funds can be recovered. */
    recoveryUrl?: string
  }
  /** The quote to give up. */
  UnlockRequest: {
    /** Id of the quote whose funds to free. */
    quoteId: string
  }
  /** The funds of the quote are free again. */
  UnlockedQuote: {
    /** Always true: a failure is answered as an error. */
    success: boolean
    /** Text for a person: `Quote unlocked`. */
    message: string
  }
  /** The amount to spend. */
  MaxSpendableRequest: {
    /** Kind of quote; `send` when it is left out. */
    type?: Schemas['QuoteType']
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Contract of the token to spend; the zero address is the native coin. */
    token: Address
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
    /** Contract of the token to get by a swap; the zero address is the native coin. */
    tokenOut?: Address | null
    /** auto: the service chooses the slippage of a swap, also where this is left out without `slippageBps`. custom: `slippageBps`. Wrapping and unwrapping have none. */
    slippageMode?: Schemas['SlippageMode'] | null
    /** Slippage to accept in a swap, in basis points, at most 5000; wrapping and unwrapping have none. */
    slippageBps?: number | null
    /** Chain on which the output of a swap is wanted; `chainId` when it is left out. */
    tokenOutChainId?: number | null
    /** Chain whose escrow sells the token; `chainId` when it is left out. */
    escrowChainId?: number | null
  }
  /** Kind of quote. */
  QuoteType: "send" | "swap" | "pool_deposit" | "dapp_call" | "offramp" | "offramp_withdraw" | "incognito_send" | "incognito_self_send"
  /** The most that can be sent, and what that costs. */
  MaxSpendable: {
    /** The most that a recipient can get, in the smallest unit. */
    maxAmount: string
    /** All fees for sending that much, in the smallest unit. */
    feeEstimate: string
    /** Value of `feeEstimate` in US dollars; null without a price. */
    feeEstimateUsdAmount: number | null
    /** Number of addresses that would pay, or of notes where a pool pays. */
    spendableCount: number
    /** Sum of these addresses’ holdings or these notes’ values, before fees, in the smallest unit. */
    grossAmount: string
    fees: Schemas['MaxSpendableFees']
    /** Service fee in basis points of the amount sent; 0 where it is waived. */
    protocolFeeBps: number
    /** Service fee for that much, in the smallest unit. */
    protocolFeeAmount: string
  }
  /** Fees in the smallest unit of the sent token. */
  MaxSpendableFees: {
    /** Gas with the margin that covers a rising gas price. */
    network: string
    /** Vetting fee of a pool deposit; `0` for a payment. */
    vetting: string
    /** Service fee of a pool deposit; `0` for a payment. */
    deposit: string
    /** Service fee; `0` where it is waived. */
    service: string
    /** All of these fees together. */
    total: string
  }
  /** The swap whose price is wanted. */
  SwapPreviewRequest: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Contract of the token to give; the zero address is the native coin. */
    tokenIn: Address
    /** Contract of the token to get; the zero address is the native coin. */
    tokenOut: Address
    /** Amount to swap, in the smallest unit of `tokenIn`; fees come on top. */
    amountIn: string
    /** auto: the service chooses the slippage of a swap, also where this is left out without `slippageBps`. custom: `slippageBps`. Wrapping and unwrapping have none. */
    slippageMode?: Schemas['SlippageMode'] | null
    /** Slippage to accept in a swap, in basis points, at most 5000; wrapping and unwrapping have none. */
    slippageBps?: number | null
    /** Chain on which the output of a swap is wanted; `chainId` when it is left out. */
    tokenOutChainId?: number | null
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
  }
  /** The result of a swap now. */
  SwapPreview: {
    /** Output, in the smallest unit of `outputToken`. */
    expectedOutput: string
    /** The least that a quote would accept, in the smallest unit of `outputToken`. */
    minimumOutput: string
    /** Token that would come out; the zero address is the native coin. */
    outputToken: Address
    /** Decimals of `outputToken`: a whole token is 10^decimals smallest units. */
    outputDecimals: number
    /** Symbol of `outputToken`, as its contract or the token list has it. */
    outputSymbol: string
    /** How the swap is made; absent where nothing is exchanged. */
    routing?: Schemas['SwapRouting'] | null
    /** auto: the service chooses the slippage of a swap, also where this is left out without `slippageBps`. custom: `slippageBps`. Wrapping and unwrapping have none. */
    slippageMode?: Schemas['SlippageMode'] | null
    /** Slippage in force, in basis points; absent where nothing is exchanged. */
    slippageBps?: number | null
    /** Slippage that was asked for; null when none was. */
    requestedSlippageBps?: number | null
    /** All fees in the smallest unit of `tokenIn`; null where `rateOnly` is true and no such swap was measured lately. */
    feeEstimate: string | null
    /** How long a bridge takes, in milliseconds; null on one chain. */
    estimatedFillTimeMs?: number | null
    /** Service fee in basis points of `amountIn`; 0 where it is waived. */
    protocolFeeBps: number
    /** Service fee in the smallest unit of `tokenIn`. */
    protocolFeeAmount: string
    /** By how many percent the output is below the spot price, pool fees left out, two decimals; null if no pool has a spot price, absent where nothing is exchanged. */
    priceImpact?: number | null
    /** True when the account’s funds could not pay the amount and the fees: the price alone, and nothing was run. */
    rateOnly: boolean
  }
  /** The cash-out whose price is wanted. */
  OfframpPreviewRequest: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Contract of the token to sell. */
    token: Address
    /** Amount to sell, in the smallest unit; fees come on top. */
    amount: string
    /** Chain whose escrow sells the token; `chainId` when it is left out. */
    escrowChainId?: number | null
    /** Payment app or bank, by the venue’s name for it; the first that pays when it is left out. */
    paymentMethod?: string | null
    /** Currency by ISO 4217; the first that the method pays when it is left out. */
    currency?: string | null
    /** The account’s addresses that alone may pay; without it any of them may. */
    spendableAddresses?: readonly (Address)[]
  }
  /** The proceeds of a cash-out now. */
  OfframpPreview: {
    /** All payment methods that are offered there for the token. */
    methods: readonly (Schemas['OfferedMethod'])[]
    /** Payment method that the price is for. */
    paymentMethod: string
    /** Currency that the price is in. */
    currency: string
    /** EIP-155 id of the chain whose escrow would sell it. */
    escrowChainId: number
    /** Contract of the token that would be sold there. */
    escrowToken: Address
    /** Decimals of `escrowToken`. */
    escrowDecimals: number
    /** Symbol of `escrowToken`. */
    escrowSymbol: string
    /** Amount that the escrow would hold, in the smallest unit of `escrowToken`. */
    escrowAmount: string
    /** Price of a whole token now; it binds when a buyer signals. */
    conversionRate: string
    /** Buyers would never pay less for a whole token. */
    minimumConversionRate: string
    /** The buyers’ payment at `conversionRate`, two decimals and the currency: an estimate until they signal. */
    estimatedFiatAmount: string
    /** The same at `minimumConversionRate`. */
    minimumFiatAmount: string
    /** Bridge that carries the funds; null on one chain. */
    bridgeProvider?: string | null
    /** How long a bridge takes, in milliseconds; null on one chain. */
    estimatedFillTimeMs?: number | null
    /** All fees in the smallest unit of `token`; null where `rateOnly` is true and no such cash-out was measured lately. */
    feeEstimate: string | null
    /** Service fee in basis points of `amount`; 0 where it is waived. */
    protocolFeeBps: number
    /** Service fee in the smallest unit of `token`. */
    protocolFeeAmount: string
    /** True when the account’s funds could not pay the amount and the fees: the price alone, and nothing was run. */
    rateOnly: boolean
  }
  /** A payment method of the venue. */
  OfferedMethod: {
    /** The venue’s name for it. */
    paymentMethod: string
    /** Currencies that it pays. */
    currencies: readonly (Schemas['OfferedCurrency'])[]
  }
  /** The venue’s present rate of a currency. */
  OfferedCurrency: {
    /** By ISO 4217. */
    currency: string
    /** Price of a whole token, as a decimal number; null while the venue has no price. */
    conversionRate: string | null
  }
  /** The picture of a destination. */
  DestinationAvatar: {
    /** URL of the picture; null for an address, and for a name without a public picture. */
    avatarUrl: string | null
  }
  /** Facts about an address. */
  RecipientAddressKind: {
    kind: Schemas['RecipientKind']
    /** The known address that this one imitates; null where it imitates none. */
    addressPoisoningMatch: Schemas['AddressPoisoningMatch'] | null
  }
  /** eoa: a key. delegated: a key whose account runs code. contract: code without a key. own: one of the account’s. */
  RecipientKind: "eoa" | "delegated" | "contract" | "own"
  /** The note to take back. One of `quoteId` and `commitmentId`. */
  PoolRecoverRequest: {
    /** The quote that deposited it. */
    quoteId?: string | null
    /** Its name in `pool/commitments`: the label of the deposit, of a change note with `-` and its withdrawalIndex. */
    commitmentId?: string | null
    /** Calldata of the pool’s `ragequit(proof)`: 388 bytes, with a proof by the circuit `commitment`. */
    recoverCalldata: Hex
    /** True accepts that every earlier withdrawal of the deposit becomes public as the depositor’s; a change note needs it. */
    acknowledgedPublicLink?: boolean | null
  }
  /** The collectible to send away, and to whom. */
  CollectibleWithdrawRequest: {
    /** The account’s address that holds it. */
    depositAddress: Address
    /** Recipient: no address of the account. */
    recipientAddress: Address
    /** Number of the collectible in its collection, in decimal digits. */
    tokenId: string
    /** `resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts. */
    acknowledgedContractRecipient?: Address | null
    /** The pair of the 409 that the user has seen and accepts; no other pair counts. */
    acknowledgedAddressPoisoningMatch?: Schemas['AcknowledgedPoisoningMatch'] | null
  }
  /** A quote with what was signed. */
  QuoteSubmission: {
    /** Id of the quote that was signed. */
    quoteId: string
    /** Every intent of the quote, each with its `signature`; none for a spend from a pool. */
    intents?: readonly (Schemas['SignedIntent'])[]
    /** The delegations of the quote, each with the `signature` of an EIP-7702 authorization. */
    delegations?: readonly (Schemas['SignedDelegation'])[]
    /** Every withdrawal of a spend from a pool; absent for other quotes. Nothing is sent by it. */
    withdrawals?: readonly (Schemas['SubmittedWithdrawal'])[]
  }
  /** An intent of the quote with its EIP-712 `signature`. */
  SignedIntent: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s address that pays; its key signs the intent. */
    eoa: string
    /** The calls of the intent: abi.encode(Call[]). */
    executionData: Hex
    /** Sequence key (192 bits) and sequence (64 bits) of the intent, in decimal digits. */
    nonce: string
    /** Derivation nonce of `eoa` among the one-time addresses, in decimal digits. */
    derivationNonce: string
    /** Payer of the Orchestrator; the zero address stands for `eoa`. */
    payer: string
    /** Token that the Orchestrator is paid in; the zero address is the native coin. */
    paymentToken: string
    /** Most that the Orchestrator may take, in the smallest unit of `paymentToken`. */
    paymentMaxAmount: string
    /** Gas limit of the intent, verification and calls together. */
    combinedGas: string
    /** Signed calls to execute before the intent, ABI-encoded. */
    encodedPreCalls: readonly (Hex)[]
    /** Transfers by `funder` to execute before the intent, ABI-encoded. */
    encodedFundTransfers: readonly (Hex)[]
    /** Contract that settles an intent of several chains; the zero address for none. */
    settler: string
    /** Seconds since the epoch after which the chain refuses the intent. */
    expiry: string
    /** True when `signature` is a Merkle proof over the intents of several chains. */
    isMultichain: boolean
    /** Address that funds the intent from elsewhere; the zero address if there is none. */
    funder: string
    /** Signature of `funder`; `0x` without one. */
    funderSignature: Hex
    /** Data for `settler`; `0x` without one. */
    settlerContext: Hex
    /** The Orchestrator’s present fee, in the smallest unit of `paymentToken`. */
    paymentAmount: string
    /** Receiver of the payment; the zero address while nothing is paid. */
    paymentRecipient: string
    /** Signature of `payer`; `0x` where `eoa` pays. */
    paymentSignature: Hex
    /** Implementation that the code of `eoa` must point to; the zero address allows any. */
    supportedAccountImplementation: string
    /** EIP-712 signature by the key of `eoa`: 65 bytes r‖s‖v in hex. */
    signature: string
    /** Accepted and ignored: the service verifies against its own copy. */
    domain?: unknown
    /** Accepted and ignored: the service verifies against its own copy. */
    types?: unknown
    /** Accepted and ignored: the service verifies against its own copy. */
    primaryType?: string
  }
  /** A delegation of the quote with its EIP-7702 `signature`. */
  SignedDelegation: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The account’s address that will run the contract’s code. */
    address: string
    /** Contract whose code `address` will run. */
    contractAddress: string
    /** Derivation nonce of `address` among the one-time addresses. */
    derivationNonce: number
    /** Transaction count of `address` that the authorization is good for. */
    authorizationNonce: number
    /** Signature of the EIP-7702 authorization by the key of `address`: 65 bytes r‖s‖v in hex. */
    signature: string
  }
  /** By what the withdrawal of a note can be found on chain. */
  SubmittedWithdrawal: {
    /** Id of the note, as the quote has it. */
    commitmentId: string
    /** H(nullifier) of the note: what its withdrawal will show. */
    nullifierHash: string
    /** Commitment of the change note. */
    newCommitment: string
  }
  /** The result of the submission. */
  QuoteSubmitted: {
    /** Always true: a failure is answered as an error. */
    success: boolean
    /** Id of the quote that was submitted. */
    quoteId: string
    /** Absent until a node has accepted it: follow the relay. */
    txHash?: string
    status: Schemas['SubmissionStatus']
    /** Text for a person that says the same as `status`. */
    message: string
  }
  /** submitted: a node has it. queued: it is sent as soon as the chain takes it. */
  SubmissionStatus: "submitted" | "queued"
  /** How the relay of a quote stands. */
  RelayStatus: {
    status: Schemas['RelayStatusName']
    /** Hash of the newest transaction that carries it; null until a node has one. */
    txHash: string | null
    /** Hash of the transaction that executed it; null until it has ended. */
    confirmedTxHash: string | null
    /** Why it failed, or how a spend differed from the report; absent unless it did. */
    error?: string
    /** The crossing, which goes on after the quote is confirmed; absent for a quote that stays on its chain. */
    bridge?: Schemas['BridgeProgress']
    /** The cash-out, which goes on after the quote is confirmed; absent for a quote that is none. */
    offRamp?: Schemas['OffRampProgress']
  }
  /** queued: accepted. pending: a node has it. stuck: it waits unusually long. manual_review: a note was spent otherwise than reported. locked, unlocked, expired and replaced: it was not submitted. */
  RelayStatusName: "locked" | "queued" | "pending" | "confirmed" | "failed" | "stuck" | "unlocked" | "expired" | "replaced" | "manual_review"
  /** How the crossing to another chain stands. */
  BridgeProgress: {
    bridgeStatus: Schemas['BridgeStatus']
    /** Hash of the transaction by which it arrived; null until it has. */
    destTxHash: string | null
    /** Hash of the transaction that paid it back; null unless it was refunded. */
    refundTxHash: string | null
  }
  /** pending: not deposited for certain. confirmed_source: deposited, waits for its fill. completed: it arrived. expired: no filler filled it in time, and the bridge owes the deposit. refunded: the deposit came back. failed: it was not deposited. */
  BridgeStatus: "pending" | "confirmed_source" | "completed" | "expired" | "refunded" | "failed"
  /** How a cash-out stands. */
  OffRampProgress: {
    phase: Schemas['OffRampPhase']
    /** Why the escrow never had it; null unless the phase is failed. */
    failureKind: Schemas['OffRampFailureKind'] | null
    /** The escrow’s number of the deposit; null until it has it. */
    depositId: string | null
    /** Paid out to buyers, in the smallest unit of the token in escrow. */
    filled: string
    /** Of what was paid out: the amount that the seller released without a proof of payment, in the same unit. */
    releasedByHand: string
    /** In the escrow and not held by a buyer, in the same unit; includes amounts whose buyer ran out of time. */
    remaining: string
    /** Held by buyers who can still pay, in the same unit. */
    outstanding: string
    /** Whether the escrow lets further buyers take of it. False before the escrow has it, once it has ended, and once all that was free was withdrawn or the seller stopped the sale: then a buyer who holds some can still pay, and no other buyer comes. */
    acceptsBuyers: boolean
    /** From when all that is not sold can be withdrawn, by the chain’s clock; null where nothing is left. */
    recoverableAt: string | null
    /** Until when the first of the present buyers can pay; null without one. */
    buyerPaymentDueAt: string | null
  }
  /** depositing: the escrow does not have it. bridging: it is on its way to the escrow’s chain. listed: no buyer has claimed any. matched: buyers hold some and may pay. partially_filled: some was paid out to buyers. completed: nothing is left, and nothing came back. returned: the unsold part came back. failed: the escrow never had it. A payment is never reported before the escrow paid out. */
  OffRampPhase: "depositing" | "bridging" | "listed" | "matched" | "partially_filled" | "completed" | "returned" | "failed"
  /** deposit_failed: nothing left the account. bridge_refunded: the bridge paid it back. bridge_fallback: the escrow refused it, and it is at the funding address on the escrow’s chain. */
  OffRampFailureKind: "deposit_failed" | "bridge_refunded" | "bridge_fallback"
  /** A page of confirmed activity. */
  Activities: {
    /** Every group of sources that entries of this answer name by `labelGroupId`, once; empty where they name none. */
    provenanceLabelGroups: readonly (Schemas['ProvenanceLabelGroup'])[]
    /** The activities of this page, newest first. */
    activity: readonly (Schemas['ListedActivity'])[]
    pagination: Schemas['Pagination']
  }
  /** An activity, with its main fee and transfer. */
  ListedActivity: {
    /** Hash of the transaction, of several the last; null while pending activity has none, and for a failed spend from a pool. */
    txHash: string | null
    /** Hashes of all its transactions, each once, in the order of its actions. */
    txHashes: readonly (string)[]
    executionStatus: Schemas['ExecutionStatus']
    /** Id of the quote that the account submitted for it; absent when there was none. */
    quoteId?: string
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Name of the chain, as the operator configured it. */
    chainName: string
    /** Append a transaction hash; null for a chain without an explorer. */
    explorerTxUrlBase: string | null
    /** When the transaction was mined, of several the last; of pending activity, when it was submitted; of a spend from a pool that was not relayed in time, when that ended. */
    date: string
    kind: Schemas['ActivityKind']
    lifecycle: Schemas['ActivityLifecycle']
    /** One of the account’s addresses signed the transaction. */
    isExternal: boolean
    /** True when the account did not cause it and it brought nothing of value. */
    isLikelySpam: boolean
    /** Service fee in basis points of what was sent, 0 where it was waived; null where no quote was submitted for it. */
    platformFeeBps: number | null
    /** Origin of the spent funds, or of the arrived ones if nothing was spent. If several addresses spent, it is that of the address in `transfer` of the list; for an exchange, of an address that gave; while pending, of the address that pays most. `transfers` have the origin of each. Absent where nothing of it moved, and as for transfers. */
    sourceProvenance?: Schemas['Provenance']
    /** The account’s addresses that funded it; absent when none did. */
    fundingAddresses?: readonly (Address)[]
    /** The exchange; absent unless `kind` is SWAP or CROSS_CHAIN_SWAP. */
    swap?: Schemas['ActivitySwap']
    /** The crossing; absent unless it goes to another chain. */
    bridge?: Schemas['ActivityBridge']
    /** The deposit; absent unless it is a deposit into a pool or its recovery. */
    pool?: Schemas['ActivityPool']
    /** The app; absent unless an app asked for the transaction. */
    dappMeta?: Schemas['ActivityDappMeta']
    /** JSON list of {to, value, data}, the value in decimal wei, of a DAPP_CALL by the account; absent of other kinds, and of a call of more than 64 KiB that the account sent by itself. */
    calldata?: string
    /** The main fee; null when the account paid none. */
    fee: Schemas['ActivityFee'] | null
    /** The transfer that matters most to the account; null when nothing of it moved. */
    transfer: Schemas['ActivityTransfer'] | null
    /** The cash-out; null for every other activity. */
    offRamp: Schemas['OffRamp'] | null
  }
  /** pending: not executed yet. partial: some of its transactions succeeded. succeeded, failed: all of them did. manual_review: a note was spent otherwise than reported; the client has to look. */
  ExecutionStatus: "pending" | "partial" | "succeeded" | "failed" | "manual_review"
  /** Its kind, seen from the account. SELF: among its own addresses. INCOGNITO_SEND and INCOGNITO_SELF_SEND: out of a pool. DAPP_CALL: nothing of value moved. */
  ActivityKind: "SEND" | "RECEIVE" | "SELF" | "SWAP" | "BRIDGE" | "CROSS_CHAIN_SWAP" | "POOL_DEPOSIT" | "POOL_RECOVER" | "INCOGNITO_SEND" | "INCOGNITO_SELF_SEND" | "NFT_WITHDRAW" | "DAPP_CALL"
  /** How far the activity is: one of three variants, distinguished by `state`. */
  ActivityLifecycle: {
    state: Schemas['LifecycleState']
    /** Status of the relay (`RelayStatus.status`); absent for confirmed activity. */
    relayStatus?: string
    /** Why it failed; absent unless it did. */
    reason?: string
    /** Block of its last transaction, in decimal digits; absent until pending activity is indexed. */
    blockNumber?: string
  }
  /** in_flight: submitted. indexed: found in the chain’s blocks. failed: it did not work, or not all of it. */
  LifecycleState: "in_flight" | "indexed" | "failed"
  /** The amounts exchanged. */
  ActivitySwap: {
    /** Contract of the token given; the zero address is the native coin. */
    sourceTokenAddress: Address
    /** Decimals of the token given. */
    sourceDecimals: number
    /** Symbol of the token given; empty if no source has one. */
    sourceTokenSymbol: string
    /** URL of a picture of the token given; null without one. */
    sourceLogoUrl: string | null
    /** Amount given, in the smallest unit. */
    sourceAmount: string
    /** Value of the amount given in US dollars at the present price; null without a price. */
    sourceUsdAmount: number | null
    /** Contract of the token received; the zero address is the native coin. */
    destTokenAddress: Address
    /** Symbol of the token received; empty if no source has one. */
    destTokenSymbol: string
    /** Decimals of the token received. */
    destDecimals: number
    /** URL of a picture of the token received; null without one. */
    destLogoUrl: string | null
    /** Amount received, in the smallest unit. */
    destAmount: string
    /** Value of the amount received in US dollars at the present price; null without a price. */
    destUsdAmount: number | null
    /** Address that the received token went to. */
    outputRecipient: Address
    /** True when the recipient is one of the account’s own addresses. */
    outputRecipientIsOwnAddress: boolean
  }
  /** The transfer to another chain, and its progress. */
  ActivityBridge: {
    /** Contract of the token given; the zero address is the native coin. */
    sourceTokenAddress: Address
    /** Decimals of the token given. */
    sourceDecimals: number
    /** Symbol of the token given; empty if no source has one. */
    sourceTokenSymbol: string
    /** URL of a picture of the token given; null without one. */
    sourceLogoUrl: string | null
    /** Amount given, in the smallest unit. */
    sourceAmount: string
    /** Value of the amount given in US dollars at the present price; null without a price. */
    sourceUsdAmount: number | null
    /** Contract of the token received; the zero address is the native coin. */
    destTokenAddress: Address
    /** Symbol of the token received; empty if no source has one. */
    destTokenSymbol: string
    /** Decimals of the token received. */
    destDecimals: number
    /** URL of a picture of the token received; null without one. */
    destLogoUrl: string | null
    /** Amount received, in the smallest unit. */
    destAmount: string
    /** Value of the amount received in US dollars at the present price; null without a price. */
    destUsdAmount: number | null
    /** Address that the received token went to. */
    outputRecipient: Address
    /** True when the recipient is one of the account’s own addresses. */
    outputRecipientIsOwnAddress: boolean
    bridgeStatus: Schemas['BridgeStatus']
    /** Hash of the transaction by which it arrived; null until it has. */
    destTxHash: string | null
    /** Hash of the transaction that paid it back; null unless it was refunded. */
    refundTxHash: string | null
    /** EIP-155 id of the chain where it arrives; after a refund, of the one that it left, and `dest…` is what came back. */
    destChainId: number
    /** Name of the chain where it arrives. */
    destChainName: string
    /** Append a transaction hash of the chain where it arrives; null without an explorer. */
    destExplorerTxUrlBase: string | null
    /** How long the crossing takes, in milliseconds; null if the venue does not report it. */
    estimatedFillTimeMs: number | null
    /** From when the bridge owes the deposit, if no filler fills it; null once it was filled, paid back, or never made. */
    refundEligibleAt: string | null
  }
  /** A deposit into a pool, or its recovery. */
  ActivityPool: {
    /** Contract of the pool, EIP-55 checksummed. */
    poolAddress: Address
    /** Contract of the token; the zero address is the native coin. */
    tokenAddress: Address
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** Symbol of the token; empty if neither a list nor its contract has one. */
    tokenSymbol: string
    /** URL of a picture of the token; null without one. */
    logoUrl: string | null
    /** Amount deposited or recovered, in the smallest unit. */
    amount: string
    /** Value of `amount` in US dollars at the present price; null without a price. */
    usdAmount: number | null
    aspStatus: Schemas['AspStatus']
    /** Label of the deposit, in decimal digits; before it is mined the quote’s id and the place of its intent, `quoteId-place`. */
    commitmentId: string
    /** Vetting fee that the Entrypoint charged, in the smallest unit; null if the chain does not show it. */
    vettingFee: string | null
    /** Value of `vettingFee` in US dollars; null without a price. */
    vettingFeeUsd: number | null
    /** Service fee for the deposit, in the smallest unit; null when none was taken. */
    depositFee: string | null
    /** Value of `depositFee` in US dollars; null without a price. */
    depositFeeUsd: number | null
  }
  /** Decision of the association set provider on the deposit; failed: the deposit was never made; cancelled: it was recovered before a decision. */
  AspStatus: "pending" | "approved" | "declined" | "failed" | "cancelled"
  /** The app that asked for the transaction. */
  ActivityDappMeta: {
    /** Scheme, host and port of the app. */
    origin: string
    /** The effect of the call, for a person; null where it is unknown. */
    description: string | null
    /** URL of the app’s picture; null without one. */
    iconUrl: string | null
    /** True when a registry lists this very origin; says nothing about the transaction. */
    verified: boolean
    /** The account’s address that the app was shown; null where none was. */
    connectedAddress: Address | null
    /** True when the transaction also delegated the address for the first time. */
    isAccountSetup: boolean
  }
  /** A fee that the account paid. */
  ActivityFee: {
    /** Contract of the token; the zero address is the native coin. */
    tokenAddress: Address
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** Symbol of the token; empty if neither a list nor its contract has one. */
    tokenSymbol: string
    /** URL of a picture of the token; null without one. */
    logoUrl: string | null
    /** Amount of the fee in the smallest unit. */
    value: string
    /** Value of the fee in US dollars at the present price; null without a price. */
    usdAmount: number | null
  }
  /** A token that moved from or to the account. */
  ActivityTransfer: {
    /** Contract of the token; the zero address is the native coin. */
    tokenAddress: Address
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** Symbol of the token; empty if neither a list nor its contract has one. */
    tokenSymbol: string
    /** URL of a picture of the token; null without one. */
    logoUrl: string | null
    /** Address that sent the token. */
    fromAddress: Address
    /** Address that received the token; the zero address for INCOGNITO_SEND, whose recipient is not stored. */
    toAddress: Address
    /** Amount that moved, in the smallest unit. */
    value: string
    /** Value of the amount in US dollars at the present price; null without a price. */
    usdAmount: number | null
    /** Origin of the funds that arrived at the account, or else of those that left it. While it is pending: the origin of the sending address’s funds; absent of what a pool is to pay back, and of collectibles. */
    provenance?: Schemas['Provenance']
  }
  /** A cash-out. */
  OffRamp: {
    /** Id of the deposit for clients of the venue, `<escrow>_<depositId>`; null until the escrow has it. */
    peerDepositId: string | null
    /** How the buyer pays, by the venue’s name for it: `venmo`. */
    paymentMethod: string
    phase: Schemas['OffRampPhase']
    /** Why the escrow never had it; null unless the phase is failed. */
    failureKind: Schemas['OffRampFailureKind'] | null
    /** The escrow’s number of the deposit; null until it has it. */
    depositId: string | null
    /** Paid out to buyers, in the smallest unit of the token in escrow. */
    filled: string
    /** Of what was paid out: the amount that the seller released without a proof of payment, in the same unit. */
    releasedByHand: string
    /** In the escrow and not held by a buyer, in the same unit; includes amounts whose buyer ran out of time. */
    remaining: string
    /** Held by buyers who can still pay, in the same unit. */
    outstanding: string
    /** Whether the escrow lets further buyers take of it. False before the escrow has it, once it has ended, and once all that was free was withdrawn or the seller stopped the sale: then a buyer who holds some can still pay, and no other buyer comes. */
    acceptsBuyers: boolean
    /** From when all that is not sold can be withdrawn, by the chain’s clock; null where nothing is left. */
    recoverableAt: string | null
    /** Until when the first of the present buyers can pay; null without one. */
    buyerPaymentDueAt: string | null
    /** URL of the deposit at the venue; null where it shows none. */
    peerUrl: string | null
    /** EIP-155 id of the chain that the funds leave. */
    sourceChainId: number
    /** Name of the chain that the funds leave. */
    sourceChainName: string
    /** Contract of the token given; the zero address is the native coin. */
    sourceTokenAddress: Address
    /** Symbol of the token given. */
    sourceTokenSymbol: string
    /** Decimals of the token given. */
    sourceDecimals: number
    /** Amount given, in the smallest unit. */
    sourceAmount: string
    /** EIP-155 id of the chain where the escrow holds the funds. */
    escrowChainId: number
    /** Name of the chain where the escrow holds the funds. */
    escrowChainName: string
    /** Contract of the token in escrow; the zero address is the native coin. */
    escrowTokenAddress: Address
    /** Symbol of the token in escrow. */
    escrowTokenSymbol: string
    /** Decimals of the token in escrow. */
    escrowDecimals: number
    /** Amount put into escrow, in the smallest unit. */
    escrowAmount: string
    /** Value of the amount put into escrow in US dollars; null without a price. */
    usdAmount: number | null
    /** The buyers’ payment, with the currency: as agreed with each, and an estimate by the quoted rate for the rest; null where the token’s decimals are not known. */
    estimatedFiatAmount: string | null
    /** Part of the escrow that was sold, 0 to 1. */
    progress: number
    /** True when the funding address had got its funds out of a pool last. */
    fromIncognito: boolean
    route: Schemas['OffRampRoute']
    /** Service fee in the smallest unit of its token; null when none was taken. */
    serviceFee: string | null
    /** Token of the service fee; the zero address is the native coin, null when no fee was taken. */
    serviceFeeTokenAddress: Address | null
    /** Symbol of the service fee’s token; null when no fee was taken. */
    serviceFeeTokenSymbol: string | null
    /** Decimals of the service fee’s token; null when no fee was taken. */
    serviceFeeDecimals: number | null
    /** Value of the service fee in US dollars; null without a price. */
    serviceFeeUsd: number | null
  }
  /** The way that a cash-out takes. */
  OffRampRoute: {
    /** The steps from the account’s funds to the payment, in their order. */
    steps: readonly (Schemas['OffRampStep'])[]
    /** The way in one English sentence, for a person. */
    description: string
  }
  /** A step of the way that a cash-out takes. */
  OffRampStep: {
    /** Key of the step, for a program. */
    id: string
    /** Name of the step in English, for a person. */
    label: string
  }
  /** How long this page may be, and where the next one begins. */
  Pagination: {
    /** Most entries that a page has, as asked for. */
    limit: number
    /** `cursor` of the next page; null after the last. */
    nextCursor: string | null
  }
  /** The other party. */
  ActivitySearch: {
    /** An address of the account or of another party that was directly involved. */
    address: Address
    /** Entries to leave out; nothing unless given. */
    filters?: Schemas['ActivityFilters']
    /** Which page; the first unless given. */
    pagination?: Schemas['ActivityPaging']
    /** Members to add; nothing unless given. */
    include?: Schemas['ActivityIncludes']
  }
  /** Entries to leave out. */
  ActivityFilters: {
    /** True leaves out likely spam, before the limit is applied. */
    hideLikelySpam?: boolean
    /** True leaves out what addresses of the account signed without a quote. */
    hideExternal?: boolean
  }
  /** Which page of the answer. */
  ActivityPaging: {
    /** Entries of a page at most, 1 to 500; 100 unless given. A page that would exceed some 4 MB ends earlier; `nextCursor` says whether more follows. */
    limit?: number
    /** `nextCursor` of the page before; null or absent for the first. */
    cursor?: string | null
  }
  /** Members to add to the answer. */
  ActivityIncludes: {
    /** True adds `searchSummary` to the answer. */
    summary?: boolean
  }
  /** The activities between the account and the address. */
  ActivitySearchAnswer: {
    /** Every group of sources that entries of this answer name by `labelGroupId`, once; empty where they name none. */
    provenanceLabelGroups: readonly (Schemas['ProvenanceLabelGroup'])[]
    /** Sums over all pages; null unless `include.summary` is true. */
    searchSummary: Schemas['ActivitySearchSummary'] | null
    /** The activities of this page, newest first. */
    activity: readonly (Schemas['ActivityItem'])[]
    pagination: Schemas['Pagination']
  }
  /** All of it, whatever the page and the filters. */
  ActivitySearchSummary: {
    /** The requested address. */
    address: Address
    /** Number of transactions between the account and the address. */
    interactionCount: number
    /** EIP-155 ids of the chains on which they were. */
    chainIds: readonly (number)[]
  }
  /** A past or pending activity, with all its fees and transfers. */
  ActivityItem: {
    /** Hash of the transaction, of several the last; null while pending activity has none, and for a failed spend from a pool. */
    txHash: string | null
    /** Hashes of all its transactions, each once, in the order of its actions. */
    txHashes: readonly (string)[]
    executionStatus: Schemas['ExecutionStatus']
    /** Id of the quote that the account submitted for it; absent when there was none. */
    quoteId?: string
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Name of the chain, as the operator configured it. */
    chainName: string
    /** Append a transaction hash; null for a chain without an explorer. */
    explorerTxUrlBase: string | null
    /** When the transaction was mined, of several the last; of pending activity, when it was submitted; of a spend from a pool that was not relayed in time, when that ended. */
    date: string
    kind: Schemas['ActivityKind']
    lifecycle: Schemas['ActivityLifecycle']
    /** One of the account’s addresses signed the transaction. */
    isExternal: boolean
    /** True when the account did not cause it and it brought nothing of value. */
    isLikelySpam: boolean
    /** Service fee in basis points of what was sent, 0 where it was waived; null where no quote was submitted for it. */
    platformFeeBps: number | null
    /** Origin of the spent funds, or of the arrived ones if nothing was spent. If several addresses spent, it is that of the address in `transfer` of the list; for an exchange, of an address that gave; while pending, of the address that pays most. `transfers` have the origin of each. Absent where nothing of it moved, and as for transfers. */
    sourceProvenance?: Schemas['Provenance']
    /** The account’s addresses that funded it; absent when none did. */
    fundingAddresses?: readonly (Address)[]
    /** The exchange; absent unless `kind` is SWAP or CROSS_CHAIN_SWAP. */
    swap?: Schemas['ActivitySwap']
    /** The crossing; absent unless it goes to another chain. */
    bridge?: Schemas['ActivityBridge']
    /** The deposit; absent unless it is a deposit into a pool or its recovery. */
    pool?: Schemas['ActivityPool']
    /** The app; absent unless an app asked for the transaction. */
    dappMeta?: Schemas['ActivityDappMeta']
    /** JSON list of {to, value, data}, the value in decimal wei, of a DAPP_CALL by the account; absent of other kinds, and of a call of more than 64 KiB that the account sent by itself. */
    calldata?: string
    /** Amount that the account paid for it; empty when it paid nothing. */
    fees: readonly (Schemas['ActivityFee'])[]
    /** Transfers from and to addresses of the account, in the order of the chain. Of a transaction with more than a hundred, a hundred: the native coin and ERC-20s before collectibles. */
    transfers: readonly (Schemas['ActivityTransfer'])[]
    /** True when the transaction has more than the hundred transfers that the service reads. */
    hasMoreTransfers: boolean
    /** The cash-out; absent for every other activity. */
    offRamp?: Schemas['OffRamp']
  }
  /** Activities that are pending or ended moments ago. */
  PendingActivities: {
    /** Every group of sources that entries of this answer name by `labelGroupId`, once; empty where they name none. */
    provenanceLabelGroups: readonly (Schemas['ProvenanceLabelGroup'])[]
    /** The activities, the last submitted first. */
    pending: readonly (Schemas['ActivityItem'])[]
  }
  /** The quotes that are asked about, 200 at most. */
  PendingStatusRequest: {
    /** Ids of submitted quotes, 200 at most. */
    quoteIds: readonly (string)[]
  }
  /** How the quotes stand. */
  PendingStatuses: {
    /** One entry per pending quote; unknown ones and those that ended earlier are left out. */
    statuses: readonly (Schemas['PendingStatus'])[]
  }
  /** How a quote stands. */
  PendingStatus: {
    /** Id of the quote that was asked about. */
    quoteId: string
    /** Hash of the newest transaction that carries it; null until a node has one. */
    txHash: string | null
    lifecycle: Schemas['ActivityLifecycle']
    /** The crossing; null for a quote that stays on its chain. */
    bridge: Schemas['BridgeProgress'] | null
    /** The cash-out; null for a quote that is none. */
    offRamp: Schemas['OffRampProgress'] | null
    /** When the status last changed. */
    updatedAt: string
  }
  /** How much there is to review. */
  DepositReviewSummary: {
    /** Addresses that need review. */
    needsReviewCount: number
    /** Addresses with a trusted receipt that was not marked as seen. */
    unseenNeedsReview: number
    /** The unseen addresses that need review, the newest receipt first. */
    markers: readonly (Schemas['ReviewMarker'])[]
  }
  /** An address to mark as new. */
  ReviewMarker: {
    /** Of the account. */
    address: Address
  }
  /** A page of the review. */
  DepositReviewPage: {
    /** Pass it with the next page: order and groups stay for 30 seconds. */
    snapshotId: string
    /** The newest receipt first. */
    items: readonly (Schemas['DepositReviewItem'])[]
    /** In the snapshot, whatever the tab. */
    counts: Schemas['DepositReviewCounts']
    /** How the list goes on. */
    pageInfo: Schemas['ReviewPageInfo']
    /** Addresses that need review for a receipt that was not marked as seen. */
    unseenNeedsReview: number
  }
  /** An address of the account that was paid. */
  DepositReviewItem: {
    /** Stable for the address. */
    id: string
    /** The account’s address. */
    address: Address
    /** Its group in the snapshot. */
    reviewStatus: Schemas['ReviewStatus']
    /** Why it needs review; null in other states. */
    statusReason: Schemas['ReviewReason'] | null
    /** The ultimate sources of its assets, each once; empty if unknown. */
    provenanceSources: readonly (Schemas['ProvenanceSource'])[]
    /** The entries in review at the address, the most urgent first. */
    assets: readonly (Schemas['ReviewAsset'])[]
    /** The first of `assets`; null once nothing is left of them. */
    primaryAsset: Schemas['ReviewAsset'] | null
    /** Trusted receipts: no likely spam, and worth a cent or more. */
    receiveCount: number
    /** All receipts, likely spam included. */
    rawReceiveCount: number
    /** Number of receipts of at least a cent that are not likely spam. The net receipt of a token in one transaction counts once. */
    trustedReceiveActionCount: number
    /** Kinds of activity that brought it, each once, sorted: RECEIVE is money from others. */
    trustedReceiveActionTypes: readonly (string)[]
    /** Entries of `assets`. */
    assetCount: number
    /** Different chains among them. */
    chainCount: number
    /** When the last trusted receipt was mined. */
    lastReceivedAt: string
    /** Value of the held funds, in US dollars; null without a price. */
    usdAmount: number | null
    /** Whether any of its assets can be converted now. */
    canConvert: boolean
  }
  /** A group of the review. */
  ReviewStatus: "needsReview" | "inProgress" | "done" | "skipped"
  /** Why something needs review. */
  ReviewReason: "new_funds" | "deposit_declined" | "deposit_failed" | "recovered"
  /** One token at one address. */
  ReviewAsset: {
    /** Opaque; stable for address, chain and token. */
    id: string
    /** The account’s address that holds it. */
    address: Address
    reviewStatus: Schemas['AssetReviewStatus']
    /** Why it needs review; null in other states. */
    statusReason: Schemas['ReviewReason'] | null
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Name of the chain. */
    chainName: string
    /** Contract of the token; the zero address is the native coin. */
    tokenAddress: Address
    /** Symbol of the token. */
    tokenSymbol: string
    /** Decimals of the token. */
    decimals: number
    /** URL of the token’s picture; null without one. */
    logoUrl: string | null
    /** `available` and `pending` together. */
    amount: string
    /** Held and free. */
    available: string
    /** Held and promised to a quote. */
    pending: string
    /** Trusted receipts: no likely spam, and worth a cent or more. */
    receiveCount: number
    /** All receipts, likely spam included. */
    rawReceiveCount: number
    /** Number of receipts of at least a cent that are not likely spam. The net receipt of a token in one transaction counts once. */
    trustedReceiveActionCount: number
    /** Kinds of activity that brought it, each once, sorted: RECEIVE is money from others. */
    trustedReceiveActionTypes: readonly (string)[]
    /** When the last trusted receipt was mined. */
    lastReceivedAt: string
    /** Transaction of the last trusted receipt; null where it had none. */
    receiveTxHash: string | null
    /** Value of the held funds, in US dollars; null without a price. */
    usdAmount: number | null
    /** US dollars for a whole token; null when unknown. */
    pricePerToken: number | null
    /** Least that the token’s pool takes; null without a pool. */
    poolMinDeposit: string | null
    /** Whether a pool takes what is available now. */
    canConvert: boolean
    /** Why not; null where it can. */
    convertUnavailableReason: Schemas['ConvertUnavailableReason'] | null
    /** The newest conversion of it; null without one. */
    poolDeposit: Schemas['ReviewPoolDeposit'] | null
  }
  /** How it stands. */
  AssetReviewStatus: "needsReview" | "inProgress" | "done"
  /** Why something cannot be converted now. */
  ConvertUnavailableReason: "no_pool" | "sending_not_offered" | "likely_spam" | "locked" | "below_minimum" | "fees_exceed_amount" | "above_maximum" | "pool_refreshing"
  /** The newest conversion that this asset went into. */
  ReviewPoolDeposit: {
    /** Label of the deposit; null until it is mined. */
    commitmentId: string | null
    status: Schemas['ReviewDepositStatus']
    /** Transaction of the deposit, or of its recovery; null before it is mined. */
    txHash: string | null
    /** Value of the note, in the smallest unit. */
    amount: string
    /** When it was submitted, mined, recovered or known to have failed. */
    updatedAt: string
  }
  /** submitted: not mined yet. pending, approved, declined: the decision of the association set provider. */
  ReviewDepositStatus: "submitted" | "pending" | "approved" | "declined" | "recovered" | "failed"
  /** Addresses in each group. */
  DepositReviewCounts: {
    /** Wait for a decision. */
    needsReview: number
    /** A conversion, approval or recovery is pending. */
    inProgress: number
    /** Converted, nothing left. */
    done: number
    /** Skipped by the account. */
    skipped: number
  }
  /** Start of the next page. */
  ReviewPageInfo: {
    /** `cursor` of the next page; null after the last. */
    nextCursor: string | null
    /** Whether there is another page. */
    hasMore: boolean
    /** Most entries of a page. */
    limit: number
  }
  /** The part of the review that the account has seen. */
  ReviewSeen: {
    /** When it looked last. */
    seenAt: string
  }
  /** The state of the skipped address that the client has seen. */
  NewReviewSkip: {
    /** `lastReceivedAt` of the item. */
    lastReceivedAt: string
    /** `rawReceiveCount` of the item. */
    rawReceiveCount: number
  }
  /** The stored skip. */
  WrittenReviewSkip: {
    skip: Schemas['ReviewSkip']
  }
  /** An address that is skipped. */
  ReviewSkip: {
    /** The account’s address. */
    address: Address
    /** A later trusted receipt ends the skip. */
    lastReceivedAt: string
    /** Receipts that the client had seen. */
    rawReceiveCount: number
    /** When it was skipped. */
    skippedAt: string
  }
  /** The result of a skip. */
  RestoredReviewSkip: {
    /** True where there was a skip; it is gone. */
    restored: boolean
  }
  /** A page of notes. */
  ActivityNotePage: {
    /** The notes of this page, newest first. */
    notes: readonly (Schemas['ActivityNote'])[]
    pagination: Schemas['Pagination']
  }
  /** A note that the client encrypted. */
  ActivityNote: {
    reference: Schemas['NoteReference']
    /** Base64 of what the client encrypted; null once cleared. */
    notePayloadCiphertext: string | null
    /** When it was last written; null once cleared. */
    notePayloadUpdatedAt: string | null
  }
  /** The subject of a note. */
  NoteReference: {
    /** Kind of thing that `quoteId` names. */
    type: string
    /** Id of a quote of the account. */
    quoteId: string
  }
  /** A note to set or clear. */
  NewActivityNote: {
    reference: Schemas['NoteReference']
    /** Base64 of what the client encrypted; null or empty clears. */
    notePayloadCiphertext: string | null
  }
  /** The stored note. */
  WrittenActivityNote: {
    note: Schemas['ActivityNote']
  }
  /** The tags on own addresses. */
  ProvenanceAddressTags: {
    /** All tags of the account, the last changed first. */
    tags: readonly (Schemas['ProvenanceAddressTag'])[]
  }
  /** A tag that the client encrypted. */
  ProvenanceAddressTag: {
    /** The account’s one-time address that the tag is on. */
    address: Address
    /** Base64 of what the client encrypted; null once cleared. */
    tagPayloadCiphertext: string | null
    /** `labelKey` as it was written with the tag; null where the client gave none, and once cleared. */
    labelKey: string | null
    /** When it was last written; null once cleared. */
    tagPayloadUpdatedAt: string | null
  }
  /** A tag to set or clear. */
  NewAddressTag: {
    /** Base64 of what the client encrypted; null or empty clears. */
    tagPayloadCiphertext: string | null
    /** Base64 of what the client made of the label, by HMAC with a key that only it has. Tags with equal keys count as one label in quotes; the service sees which are equal, and nothing else. Null or absent: the label is like no other. */
    labelKey?: string | null
  }
  /** The stored tag. */
  WrittenProvenanceAddressTag: {
    tag: Schemas['ProvenanceAddressTag']
  }
  /** The contacts. */
  AddressBook: {
    /** The most recently paid first, then those never paid, from the newest. */
    entries: readonly (Schemas['Contact'])[]
  }
  /** An entry of the address book. */
  Contact: {
    /** Address of the contact, EIP-55 checksummed. */
    address: Address
    /** Name that the account gave the contact. */
    name: string
    /** When the account last paid the contact; null when it never did. */
    lastUsedAt: string | null
    /** When the contact was first saved. */
    createdAt: string
    /** When the contact was last saved. */
    updatedAt: string
  }
  /** Whether the address is the account’s own. */
  ContactOwnership: {
    /** True for a one-time address of the account. */
    isOwnAddress: boolean
  }
  /** A contact, signed by the spending key. */
  NewContact: {
    /** Name of the contact: one line of at most 64 characters. */
    name: string
    /** When it was signed, ISO 8601 in UTC. */
    issuedAt: string
    /** EIP-191 signature of the contact message, by the spending key: 65 bytes r‖s‖v in hex. */
    signature: Hex
  }
  /** The stored contact. */
  SavedContact: {
    entry: Schemas['Contact']
  }
  /** Whether there was a contact to delete. */
  DeletedContact: {
    /** True when there was such a contact. */
    deleted: boolean
  }
  /** A chain that is served. */
  SupportedChain: {
    /** Name of the chain, as the operator configured it. */
    name: string
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** True for a chain whose coins are worth nothing. */
    isTestnet: boolean
    /** URL of the chain’s block explorer; null for a chain without one. */
    explorerUrl: string | null
    /** Goes between `explorerUrl` and a transaction hash. */
    explorerTxPath: string
    /** Of a testnet: EIP-155 id of the chain that it stands for; else null. */
    mainnetChainId: number | null
    /** File name, without ending, of the client’s own picture of the chain; null without one. */
    logoBaseName: string | null
    /** True when that picture fills a square. */
    isSquareLogo: boolean
    /** The service’s functions on the chain; every chain has `receive`. */
    capabilities: readonly (Schemas['ChainCapability'])[]
  }
  /** receive: addresses, balances and activity. relay: withdrawals from privacy pools. send: quotes and submissions. pool_deposit: deposits into privacy pools. swap: exchanges of tokens. bridge: transfers to and from other chains that have it. cash_out: sales for money. names: names are resolved there. */
  ChainCapability: "receive" | "relay" | "send" | "pool_deposit" | "swap" | "bridge" | "cash_out" | "names"
  /** A pool that is served. */
  SupportedPool: {
    /** Protocol of the pool’s contracts. */
    provider: string
    /** Contract of the pool, EIP-55 checksummed. */
    poolAddress: string
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Name of the chain, as the operator configured it. */
    chainName: string
    /** Contract of the pool’s token; the zero address is the native coin. */
    token: string
    /** Symbol of the token, as the operator configured it. */
    tokenSymbol: string
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** URL of a picture of the token; null without one. */
    logoUrl: string | null
    /** Smallest deposit that the Entrypoint takes, in the smallest unit. */
    minDeposit: string
    /** Largest deposit, in the smallest unit. */
    maxDeposit: string
    /** Amount of the token in the pool, in the smallest unit. */
    totalBalance: string
    /** keccak256(pool, chainId, asset) mod Fr, in decimal digits. */
    scope: string
    asp: Schemas['AssociationSetProvider']
    /** Largest relay fee that the pool allows, in basis points of the amount withdrawn. */
    maxRelayFeeBPS: number
    /** Cost of relaying one proof at today’s gas price, in wei. */
    withdrawalFeePerProofWei: string
  }
  /** The approver of deposits. */
  AssociationSetProvider: {
    /** Name of the association set provider. */
    name: string
    /** URL of the rules by which deposits are approved; null where none is published. */
    policyUrl: string | null
  }
  /** All that a client needs to find its notes in a pool and to prove that it may spend them. */
  PoolState: {
    /** Leaves of the state tree in insertion order, decimal: all, or those from `fromIndex` on. */
    leaves: readonly (string)[]
    /** Root of the state tree after all leaves; 0 without any. */
    currentRoot: string
    /** Number of leaves in the state tree. */
    treeSize: number
    /** Root after `fromIndex` leaves; null for 0. If the client’s differs, a reorg removed leaves: ask from lower. */
    prefixRoot: string | null
    /** Approved labels in the order of the provider’s tree, decimal: all, or those from `aspFromIndex` on. */
    aspLeaves: readonly (string)[]
    /** Root of all approved labels, which is the Entrypoint’s latest; null while it has none. */
    aspRoot: string | null
    /** Spent notes in the order of the chain: all, or those from `fromSpent` on. */
    spentNullifiers: readonly (Schemas['SpentNote'])[]
    /** All notes that were recovered, in the order of the chain. */
    ragequits: readonly (Schemas['RecoveredNote'])[]
    /** The crowd by amount: no client has to ask for an amount. */
    crowd: readonly (Schemas['CrowdStep'])[]
    /** One more than the highest depositIndex that is on chain or on its way; 0 without any. */
    nextDepositIndex: number
    /** The account’s unspent notes as far as the service knows, and deposits on their way, by depositIndex. A note that was spent without telling the service is among them. */
    commitments: readonly (Schemas['PoolCommitment'])[]
  }
  /** A note that was spent, without what it was or whose. */
  SpentNote: {
    /** H(nullifier), decimal. */
    nullifierHash: string
    /** Amount that left the pool, relay fee included, in the smallest unit. */
    withdrawnValue: string
    /** Leaf of the change note, decimal. */
    newCommitment: string
  }
  /** A note that its depositor took back in the open. */
  RecoveredNote: {
    /** Its leaf, decimal. */
    commitment: string
    /** Name of its deposit, decimal. */
    label: string
    /** Recovered amount, in the smallest unit. */
    value: string
  }
  /** How many deposits one is hidden among when the service relays the withdrawal. */
  CrowdStep: {
    /** In the smallest unit: 1, 2 or 5 times a power of ten. */
    atLeast: string
    /** Approved deposits of at least that amount that accounts of the service made and did not recover. */
    deposits: number
  }
  /** A note of the account in a pool, or a deposit on its way into it. */
  PoolCommitment: {
    /** The label; of a change note with `-` and its withdrawalIndex; of a deposit on its way its quoteId, `-` and its place. */
    id: string
    /** Index by which the client derived the deposit’s secrets; null for a deposit that this service did not prepare. */
    depositIndex: number | null
    /** How many times the deposit was spent from; 0 for the deposit itself. */
    withdrawalIndex: number
    /** Leaf of the state tree; null while there is none, or where only the owner of the secrets knows it. */
    commitment: string | null
    /** Name of the deposit in the pool; null while it is on its way. */
    label: string | null
    /** Value of the note, in the smallest unit. */
    value: string
    aspStatus: Schemas['CommitmentAspStatus']
    known: Schemas['CommitmentSource']
  }
  /** The association set provider’s decision on the deposit: `approved` once its label hashes to the root on chain. */
  CommitmentAspStatus: "pending" | "approved" | "declined" | "failed"
  /** From where the service knows the note: the deposit itself, what the account settled later, or a spend that it reported. */
  CommitmentSource: "deposit" | "settled" | "told"
  /** An account’s notes in a pool. */
  PoolCommitments: {
    /** The account’s unspent notes as far as the service knows, and deposits on their way, by depositIndex. A note that was spent without telling the service is among them. */
    commitments: readonly (Schemas['PoolCommitment'])[]
  }
  /** The remainders of deposits of one pool. */
  PoolSettlement: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Token of the pool; the zero address is the native coin. */
    token: Address
    /** One for each deposit, 100 at most. */
    notes: readonly (Schemas['NoteSettlement'])[]
  }
  /** The remainder of a deposit, without how it was spent. */
  NoteSettlement: {
    /** Id of any note of the deposit, as `pool/commitments` has it. */
    commitmentId: string
    /** How many times the deposit was spent from: more often than the service knows. */
    withdrawalIndex: number
    /** The remainder, in the smallest unit: no more than the service knows; 0 for nothing. */
    value: string
  }
  /** Members to add to tokens. */
  TokenInclude: "market" | "sources"
  /** A page of known tokens. */
  TokenCatalog: {
    /** The tokens of this page. */
    tokens: readonly (Schemas['Token'])[]
    /** Symbols that a client shows first, in this order. */
    pinnedSymbols: readonly (string)[]
    /** By `<chainId>:<address>` of a testnet’s token: the mainnet’s token that it stands for. */
    testnetToMainnet: { readonly [name: string]: Schemas['TokenName'] }
    /** `cursor` of the next page; null after the last. */
    nextCursor: string | null
  }
  /** A token of one chain. */
  Token: {
    /** Contract of the token, checksummed; the zero address is the native coin. */
    address: string
    /** Symbol of the token, without control or invisible characters. */
    symbol: string
    /** Name of the token, without control or invisible characters. */
    name: string
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** https URL of a picture of the token; absent without one. */
    logoURI?: string
    /** True for a token that the operator configured as a partner’s. */
    isPartnerToken?: boolean
    /** How far the token is to be trusted. */
    visibility?: Schemas['TokenVisibility']
    /** Source of symbol, name and decimals. */
    metadataSource?: Schemas['TokenMetadataSource']
    /** The token’s market; absent unless `include` names market, null where no provider knows one. */
    market?: Schemas['TokenMarket'] | null
    /** The sources that list the token, and since when; absent unless `include` names sources. */
    sources?: readonly (Schemas['TokenSource'])[]
  }
  /** verified: configured by the operator. listed: in the token list. unlisted: known from a provider or the chain alone. hidden: likely spam. */
  TokenVisibility: "verified" | "listed" | "unlisted" | "hidden"
  /** Source of symbol, name and decimals: the operator, a list, a provider, or the contract. */
  TokenMetadataSource: "configuration" | "token-list" | "provider" | "chain"
  /** A provider’s figures of the market; decimal strings. Absent: not known. */
  TokenMarket: {
    /** Provider of these figures. */
    provider: string
    /** Id of the token at the provider. */
    providerAssetId: string
    /** Currency of all prices here, for example `usd`. */
    vsCurrency: string
    /** Price of a whole token. */
    price?: string
    /** Price times circulating supply. */
    marketCap?: string
    /** Place among the provider’s tokens by market capitalisation, from 1. */
    marketCapRank?: number
    /** Price times the most tokens that can ever exist. */
    fullyDilutedValuation?: string
    /** Value of what was traded in 24 hours. */
    totalVolume?: string
    /** Highest price of the last 24 hours. */
    high24h?: string
    /** Lowest price of the last 24 hours. */
    low24h?: string
    /** Change of the price in 24 hours; negative when it fell. */
    priceChange24h?: string
    /** Change of the price in 24 hours, in percent. */
    priceChangePercentage24h?: string
    /** Change of the market capitalisation in 24 hours. */
    marketCapChange24h?: string
    /** Change of the market capitalisation in 24 hours, in percent. */
    marketCapChangePercentage24h?: string
    /** Number of whole tokens in circulation. */
    circulatingSupply?: string
    /** Number of whole tokens that exist now. */
    totalSupply?: string
    /** Number of whole tokens that can ever exist. */
    maxSupply?: string
    /** Highest price ever (all-time high). */
    ath?: string
    /** Change of the price since `athDate`, in percent. */
    athChangePercentage?: string
    /** When the price was highest, ISO 8601. */
    athDate?: string
    /** Lowest price ever (all-time low). */
    atl?: string
    /** Change of the price since `atlDate`, in percent. */
    atlChangePercentage?: string
    /** When the price was lowest, ISO 8601. */
    atlDate?: string
    /** When the provider last changed these figures, ISO 8601. */
    providerUpdatedAt?: string
    /** When the price was observed, ISO 8601. */
    priceObservedAt: string
    /** When the other figures were observed, ISO 8601. */
    marketObservedAt: string
    /** When the service asked the provider, ISO 8601. */
    fetchedAt: string
    /** True when the figures are older than they should be. */
    stale: boolean
  }
  /** The sources that list a token, and since when. */
  TokenSource: {
    /** Sources that list the token: the configuration, a list, a provider, or `chain`. */
    source: string
    /** Id of the token at that source. */
    sourceId: string
    /** When the source was first seen to know the token, ISO 8601. */
    firstSeenAt: string
    /** When the source was last seen to know the token, ISO 8601. */
    lastSeenAt: string
    /** Name of the token by that source; absent if it has none. */
    name?: string
    /** Symbol of the token by that source; absent if it has none. */
    symbol?: string
    /** URL of a picture by that source; absent where it has none. */
    logoUrl?: string
    /** URL of the source’s page about the token; absent where it has none. */
    externalUrl?: string
    /** Decimals of the token by that source; absent if it has none. */
    decimals?: number
  }
  /** A token by chain and contract. */
  TokenName: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Contract of the token, checksummed; the zero address is the native coin. */
    address: string
  }
  /** Tokens that are popular on a chain. */
  PopularTokens: {
    source: Schemas['PopularTokensSource']
    /** The most popular first; empty if no source has any. */
    tokens: readonly (Schemas['PopularToken'])[]
  }
  /** trending: searched for most. venue-popular: traded most. */
  PopularTokensSource: "trending" | "venue-popular"
  /** A token, and how its price moved. */
  PopularToken: {
    /** Contract of the token, checksummed; the zero address is the native coin. */
    address: string
    /** Symbol of the token, without control or invisible characters. */
    symbol: string
    /** Name of the token, without control or invisible characters. */
    name: string
    /** Decimals of the token: a whole token is 10^decimals smallest units. */
    decimals: number
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** https URL of a picture of the token; absent without one. */
    logoURI?: string
    /** True for a token that the operator configured as a partner’s. */
    isPartnerToken?: boolean
    /** How far the token is to be trusted. */
    visibility?: Schemas['TokenVisibility']
    /** Source of symbol, name and decimals. */
    metadataSource?: Schemas['TokenMetadataSource']
    /** The token’s market; absent unless `include` names market, null where no provider knows one. */
    market?: Schemas['TokenMarket'] | null
    /** The sources that list the token, and since when; absent unless `include` names sources. */
    sources?: readonly (Schemas['TokenSource'])[]
    /** Against the price six hours ago; absent where that is not known. */
    change6h?: Schemas['PriceChange']
    /** Against the price a day ago; absent where that is not known. */
    change24h?: Schemas['PriceChange']
  }
  /** How the price moved against the one so many hours before. */
  PriceChange: {
    /** Change of the price in percent; negative when it fell. */
    percentage: number
    /** When the present price was observed, ISO 8601. */
    observedAt: string
  }
  /** Tokens of an account. */
  TokenList: {
    /** Tokens that the account added, in that order, then those that its addresses hold. */
    tokens: readonly (Schemas['Token'])[]
  }
  /** The token to add. */
  AddTokenRequest: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** Contract of the token; the zero address is the native coin. */
    address: Address
  }
  /** A token, and what the account has of it. */
  AccountToken: {
    token: Schemas['Token']
    balance: Schemas['Balance']
  }
  /** Calls to simulate. */
  SimulateBody: {
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The caller: any address. */
    from: Address
    /** The contract or person that is called. Needed without `calls`. */
    to?: Address
    /** Wei that the call carries, decimal or hex; 0 unless given. */
    value?: string
    /** Calldata, at most 122,880 bytes in all; empty unless given. */
    data?: Hex
    /** In place of `to`, `value` and `data`: up to 16 calls on one state, in their order, all or nothing. */
    calls?: readonly (Schemas['SimulatedCall'])[]
  }
  /** One call to simulate. */
  SimulatedCall: {
    /** The contract or person that is called. */
    to: Address
    /** Wei that the call carries, decimal or hex; 0 unless given. */
    value?: string
    /** Calldata, at most 122,880 bytes in all; empty unless given. */
    data?: Hex
  }
  /** How calls would end: `success`; they would fail, with `failureReason`; or the end is unknown, with `error`. */
  Simulation: {
    /** True when all calls would succeed. */
    success: boolean
    /** `evm`: our own EVM, which compares balances. `rpc-simulate`: the chain’s node. `rpc-call`: no simulator was available. */
    provider: string
    /** Gas of all calls together, each as a transaction; null where it is not known. */
    gasUsed: string | null
    /** Why the calls would fail, one line for people; null unless they would. */
    failureReason: string | null
    /** True when balances and allowances before and after were compared, and nothing else moved. Only for one call that takes little gas. */
    assetChangesComplete: boolean
    /** At most 500; movements of each call before its approvals. */
    assetChanges: readonly (Schemas['SimulatedAssetChange'])[]
    /** Reason why the end of the calls is unknown: `SIMULATION_LIMIT: …` or `NODE_REFUSED: …`; else null. */
    error: string | null
    /** Facts to show before signing. */
    warnings: readonly (Schemas['SimulationWarning'])[]
    /** Block in which the calls were run; null if the node does not report it. */
    blockNumber: string | null
  }
  /** A movement of an asset, or leave to move it. */
  SimulatedAssetChange: {
    /** Always 0: one intent is simulated. */
    intentIndex: number
    /** Place of the call that made it. */
    callIndex: number
    type: Schemas['SimulatedChangeType']
    standard: Schemas['SimulatedStandard']
    /** The asset. */
    token: Schemas['SimulatedToken']
    /** Former holder; of an approval the owner. */
    from: Address
    /** Present holder; of an approval who may take it. */
    to: Address
    /** For people, by the token’s decimals; null without these. */
    amount: string | null
    /** In the smallest unit; 1 for a collectible. */
    rawAmount: string
    /** Number of a collectible, in decimal digits; null for others. */
    tokenId: string | null
    /** True for an approval without a limit that anybody could reach. */
    unlimited: boolean
  }
  /** mint, burn: from or to the zero address. approval: leave to take an amount, or one collectible. approval_for_all: of every token of a collection; `rawAmount` 0 takes it back. */
  SimulatedChangeType: "transfer" | "mint" | "burn" | "approval" | "approval_for_all"
  /** Kind of the asset. From the event of an `approval_for_all` it does not show whether a collection is of ERC-721 or ERC-1155: erc721 is answered. */
  SimulatedStandard: "native" | "erc20" | "erc721" | "erc1155"
  /** The asset of a change. */
  SimulatedToken: {
    /** Its contract, checksummed; the zero address is the native coin. */
    address: Address
    /** Its symbol; null where it is not known. */
    symbol: string | null
    /** Its decimals; null where they are not known, and for collectibles. */
    decimals: number | null
    /** Its name; null where it is not known. */
    name: string | null
  }
  /** Facts to show before signing. */
  SimulationWarning: {
    code: Schemas['SimulationWarningCode']
    /** The same in words. */
    message: string
    /** The address that it is about; null where it is about the whole. */
    address: Address | null
  }
  /** UNLIMITED_APPROVAL: A spender may take all of a token, now and later. APPROVAL_TO_KEY: Leave is given to an address without code: to a person, not to a contract. OPERATOR_APPROVAL: An operator may take every token of a collection, now and later. CALL_TO_NO_CODE: There is no contract that could read the calldata. SPAM_TOKEN: A token that moves is likely spam. LOOKALIKE_RECIPIENT: A recipient imitates an address that the account knows. LINKS_OWN_ADDRESSES: Something moves between two addresses of the account: anybody can see then that they belong together. ENVIRONMENT_READ: The call asks for what differs between a simulation and the chain: it may end otherwise. SELF_CALL: The address calls itself, which may change who controls it. NOT_CHECKED: Balances and allowances were not compared, because much is checked now: try again in a minute, or trust the node alone. */
  SimulationWarningCode: "UNLIMITED_APPROVAL" | "APPROVAL_TO_KEY" | "OPERATOR_APPROVAL" | "CALL_TO_NO_CODE" | "SPAM_TOKEN" | "LOOKALIKE_RECIPIENT" | "LINKS_OWN_ADDRESSES" | "ENVIRONMENT_READ" | "SELF_CALL" | "NOT_CHECKED"
  /** Selectors of functions or errors. */
  FunctionSignaturesBody: {
    /** The first four bytes of calldata or of an error, at most 100. */
    selectors: readonly (Hex)[]
  }
  /** Functions that the selectors may name. */
  FunctionSignatures: {
    /** By selector in lower case: the one signature of the best source; null where there are several or none. */
    signatures: { readonly [name: string]: string | null }
    /** By selector in lower case: at most ten candidates, the best first. Decode the calldata with each and keep those whose arguments encode to the same bytes. */
    candidates: { readonly [name: string]: readonly (Schemas['SignatureCandidate'])[] }
  }
  /** A function or error that a selector may name. */
  SignatureCandidate: {
    /** Canonical signature, `transfer(address,uint256)`; it hashes to the selector. */
    signature: string
    source: Schemas['SignatureSource']
    /** True when it looks as if its name was searched for until the selector was the same as another’s. */
    suspicious: boolean
  }
  /** How much is known of it, the best first. standard: of a standard or the service’s own contracts. descriptor: of the clear-signing registry. verified: of a contract whose source was verified. reported: merely reported by a third party. */
  SignatureSource: "standard" | "descriptor" | "verified" | "reported"
  /** A function of a contract whose source was verified. */
  VerifiedFunction: {
    /** Version of this evidence. */
    evidenceVersion: 1
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The contract that was asked about, checksummed. */
    address: Address
    /** The selector that was asked about, lower case. */
    selector: string
    contractKind: Schemas['ContractKind']
    /** The function as Solidity declares it, with the names of its parameters where they are identifiers. */
    functionDeclaration: string
    /** keccak256 of its canonical signature; begins with the selector. */
    functionHash: string
    /** keccak256 of the code at `address`, in the newest block. */
    runtimeCodeHash: string
    /** exact_match: the hash of the metadata in the code proves the sources and this function. match: the server says that its sources compile to this code. */
    match: Schemas['SourceMatch']
    /** The same of the code that runs, which is what is compared here. */
    runtimeMatch: Schemas['SourceMatch']
    /** Page that shows the sources. */
    sourceUrl: string
    /** The contract that has the function, where that is the one behind a proxy; else null. */
    implementation: Schemas['VerifiedImplementation'] | null
  }
  /** proxy: the contract runs the code of another one (EIP-1167, EIP-1967). */
  ContractKind: "contract" | "proxy"
  /** How well sources fit. */
  SourceMatch: "exact_match" | "match"
  /** The contract behind a proxy. */
  VerifiedImplementation: {
    /** Its address, checksummed. */
    address: Address
    /** keccak256 of its code, in the newest block. */
    runtimeCodeHash: string
  }
  /** calldata: the effect of a call. eip712: the content of a signed message. */
  DescriptorKind: "calldata" | "eip712"
  /** The meaning of a contract’s calls or messages, by ERC-7730. */
  ClearSigningDescriptor: {
    kind: Schemas['DescriptorKind']
    /** The descriptor, what it includes merged, its formats for all functions or types. Of a standard, with this contract as its only deployment. */
    descriptor: { readonly [name: string]: unknown }
    /** Its source. */
    source: Schemas['DescriptorSource']
    /** Why it applies. */
    binding: Schemas['DescriptorBinding']
  }
  /** merged: in the registry at that commit. pull_request: proposed to it. local: the operator’s own. */
  DescriptorStatus: "merged" | "pull_request" | "local"
  /** Source of a descriptor. */
  DescriptorSource: {
    /** Name of the registry, as the operator calls it. */
    registry: string
    status: Schemas['DescriptorStatus']
    /** URL of the registry; null for the operator’s own. */
    repository: string | null
    /** The commit that was imported; null for the operator’s own. */
    commit: string | null
    /** The descriptor’s file in the registry. */
    path: string
    /** URL of the file at that commit; null for the operator’s own. */
    url: string | null
    /** keccak256 of the canonical JSON (RFC 8785) of `descriptor`, which every client can compute. The ETag begins with it. */
    descriptorHash: string
    /** Number of the proposal; null unless the status is pull_request. */
    pullRequest: number | null
  }
  /** deployment: it names the contract. proxy: it names what is behind the contract at the newest block. standard: it describes a standard that the contract follows. */
  DescriptorBindingKind: "deployment" | "proxy" | "standard"
  /** A standard that a descriptor is about. */
  DescriptorStandard: "erc20" | "erc721" | "erc2612"
  /** registry: it names the contract. eip1167: the contract’s code is a minimal proxy. eip1967, eip1967_beacon: the contract’s own slots, which it may write at will. token_catalog: the configuration or the token list has the token, with the decimals that its contract states. erc165: the contract says so itself. domain_separator: as token_catalog, and the contract has the domain that ERC-2612 permits are signed under. */
  DescriptorEvidenceKind: "registry" | "eip1167" | "eip1967" | "eip1967_beacon" | "token_catalog" | "erc165" | "domain_separator"
  /** Evidence that a descriptor is about the contract. */
  DescriptorEvidence: {
    kind: Schemas['DescriptorEvidenceKind']
    /** Decimals that the token’s contract states; null unless it is a listed token. */
    onchainDecimals: number | null
    /** Lists that have the token: configuration or token-list; empty unless it is listed. */
    catalogSources: readonly (string)[]
  }
  /** Why a descriptor applies. */
  DescriptorBinding: {
    kind: Schemas['DescriptorBindingKind']
    /** The standard; null unless the kind is standard. */
    standard: Schemas['DescriptorStandard'] | null
    /** EIP-155 id of the chain: 1 is Ethereum. */
    chainId: number
    /** The contract that the descriptor’s deployments name: the implementation behind a proxy. */
    address: string
    /** The evidence. */
    evidence: Schemas['DescriptorEvidence']
  }
}

/** Every operation: its input by place, its answer, and the codes of the errors that it declares. */
export interface Operations {
  /** Cost of relaying. */
  relayerDetails: {
    path: {}
    query: { chainId: number; assetAddress: Address }
    body: undefined
    answer: Schemas['RelayerDetails']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'ASSET_NOT_SUPPORTED' | 'POOL_STATE_REFRESHING'
  }
  /** A fee, and the commitment to it. */
  relayerQuote: {
    path: {}
    query: {}
    body: Schemas['RelayerQuoteRequest']
    answer: Schemas['RelayerQuote']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'ASSET_NOT_SUPPORTED' | 'WITHDRAWAL_AMOUNT_TOO_SMALL' | 'BURN_ADDRESS_RECIPIENT' | 'TOKEN_CONTRACT_RECIPIENT' | 'SERVICE_CONTRACT_RECIPIENT' | 'UNSUPPORTED_FEATURE' | 'MAX_GAS_PRICE' | 'POOL_STATE_REFRESHING' | 'NO_GAS_FOR_SENDING'
  }
  /** Relay a withdrawal. */
  relayerRequest: {
    path: {}
    query: {}
    body: Schemas['RelayRequest']
    answer: Schemas['RelayAnswer']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'POOL_STATE_REFRESHING' | 'GAS_BUDGET_USED_UP' | 'NO_GAS_FOR_SENDING'
  }
  /** How far a request has come. */
  relayerRequestStatus: {
    path: { requestId: string }
    query: {}
    body: undefined
    answer: Schemas['RelayerRequestStatus']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The key to encrypt key material with. */
  hpkePublicKey: {
    path: {}
    query: {}
    body: undefined
    answer: Schemas['HpkePublicKey']
    code: 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** A nonce to sign in with. */
  nonce: {
    path: {}
    query: { address: Address }
    body: undefined
    answer: string
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Sign in. */
  verify: {
    path: {}
    query: {}
    body: Schemas['VerifyRequest']
    answer: Schemas['Session']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'UNPROCESSABLE_ENTITY'
  }
  /** Sign out. */
  logout: {
    path: {}
    query: {}
    body: undefined
    answer: Schemas['LoggedOut']
    code: 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Authorize the browser extension. */
  authorizeExtension: {
    path: {}
    query: {}
    body: Schemas['ExtensionAuthorizationRequest']
    answer: Schemas['ExtensionAuthorization']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'invalid_request' | 'unauthorized_client'
  }
  /** A token for the browser extension. */
  exchangeCode: {
    path: {}
    query: {}
    body: Schemas['OAuthTokenRequest']
    answer: Schemas['OAuthToken']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'unsupported_grant_type' | 'invalid_client' | 'invalid_grant'
  }
  /** The keys that sign tokens. */
  jwks: {
    path: {}
    query: {}
    body: undefined
    answer: Schemas['JsonWebKeySet']
    code: 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Create the account of who signed in. */
  createAccount: {
    path: {}
    query: {}
    body: Schemas['NewAccount']
    answer: Schemas['CreatedAccount']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The account as its owner sees it. */
  account: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['Account']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The contact e-mail. */
  contactEmail: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['ContactEmail']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Set the contact e-mail. */
  setContactEmail: {
    path: { accountId: string }
    query: {}
    body: Schemas['NewContactEmail']
    answer: Schemas['ContactEmail']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Remove the contact e-mail. */
  deleteContactEmail: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['ContactEmail']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Keep an ENS name of one’s own. */
  setCustomEnsName: {
    path: { accountId: string }
    query: {}
    body: Schemas['CustomEnsNameBody']
    answer: Schemas['CustomEnsName']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Forget the ENS name of one’s own. */
  deleteCustomEnsName: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['CustomEnsName']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Dismiss a prompt for good. */
  dismissProfilePrompt: {
    path: { accountId: string; promptId: string }
    query: {}
    body: undefined
    answer: Schemas['PromptDismissal']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Whether a name is to be had. */
  subdomainCheck: {
    path: {}
    query: { name: string; inviteCode?: string }
    body: undefined
    answer: Schemas['NameCheck']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Claim a name. */
  claimSubdomain: {
    path: { accountId: string }
    query: {}
    body: Schemas['NameClaim']
    answer: Schemas['ClaimedName']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** A random free name. */
  suggestSubdomain: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['SuggestedName']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Resolve a name, as wallets do (CCIP-Read). */
  lookUpName: {
    path: { sender: Address; callData: string }
    query: {}
    body: undefined
    answer: Schemas['NameLookupAnswer']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'NAME_LOOKUPS_EXHAUSTED'
  }
  /** Resolve a name, the question in the body. */
  lookUpNameByPost: {
    path: {}
    query: {}
    body: Schemas['NameLookup']
    answer: Schemas['NameLookupAnswer']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'NAME_LOOKUPS_EXHAUSTED'
  }
  /** Whether there is a referral programme. */
  referralAvailability: {
    path: {}
    query: {}
    body: undefined
    answer: Schemas['ReferralAvailability']
    code: 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** A referrer’s code, by name. */
  resolveReferrer: {
    path: { name: string }
    query: {}
    body: undefined
    answer: Schemas['Referrer']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Offer of a referral code. */
  previewReferral: {
    path: { code: string }
    query: {}
    body: undefined
    answer: Schemas['ReferralPreview']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** By whom the account was brought. */
  referralAttribution: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['ReferralAttribution']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** End the attribution for good. */
  endReferralAttribution: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['ReferralAttribution']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Totals of the account’s referrals. */
  referralSummary: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['ReferralSummary']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The account’s referral code. */
  openReferralProfile: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['ReferralProfile']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** A one-time address to be paid at. */
  createPaymentAddress: {
    path: { accountId: string }
    query: {}
    body: Schemas['PaymentAddressRequest']
    answer: Schemas['PaymentAddress']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEYS_EXHAUSTED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The account’s one-time addresses. */
  addresses: {
    path: { accountId: string }
    query: { address?: Address; activity?: string; hasBalance?: boolean; usedWithApps?: boolean; includeSummary?: boolean; limit?: number; cursor?: string }
    body: undefined
    answer: Schemas['AddressPage']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Whether an address is one of the account’s. */
  addressOwnership: {
    path: { accountId: string }
    query: { address: Address }
    body: undefined
    answer: Schemas['AddressOwnership']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Which apps were shown which addresses. */
  dappAddresses: {
    path: { accountId: string }
    query: { paginateBy?: string; limit?: number; offset?: number }
    body: undefined
    answer: Schemas['DappAddressPage']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The address for an app. */
  connectApp: {
    path: { accountId: string }
    query: {}
    body: Schemas['ConnectAppBody']
    answer: Schemas['AppAddress']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEYS_EXHAUSTED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'APP_BLOCKED' | 'TOO_MANY_APPS' | 'ADDRESS_OF_ANOTHER_APP'
  }
  /** Balances on all chains. */
  accountBalance: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['BalanceSheet']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Balances on one chain. */
  accountChainBalance: {
    path: { accountId: string; chainId: number }
    query: {}
    body: undefined
    answer: Schemas['BalanceSheet']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED'
  }
  /** Balance of one token. */
  accountTokenBalance: {
    path: { accountId: string; chainId: number; token: Address }
    query: {}
    body: undefined
    answer: Schemas['Balance']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'TOKEN_METADATA_UNAVAILABLE'
  }
  /** Balances of each address. */
  addressBalances: {
    path: { accountId: string }
    query: { purpose?: string; address?: Address; chainId?: number; token?: Address; dappOrigin?: string; limit?: number; offset?: number }
    body: undefined
    answer: Schemas['AddressBalancesPage']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED'
  }
  /** Addresses that hold something. */
  fundedAddresses: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['FundedAddresses']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Record collectibles that came in. */
  verifyCollectible: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['Collectible']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEYS_EXHAUSTED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The key that signs quotes. */
  quoteSignerPublicKey: {
    path: {}
    query: {}
    body: undefined
    answer: Schemas['QuoteSignerKey']
    code: 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The marks that calls may carry. */
  attribution: {
    path: {}
    query: {}
    body: undefined
    answer: Schemas['Attribution']
    code: 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Quote a payment and lock its funds. */
  createQuote: {
    path: { accountId: string }
    query: {}
    body: Schemas['QuoteRequest']
    answer: Schemas['Quote']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEYS_EXHAUSTED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'POOL_NOT_FOUND' | 'ADDRESS_NOT_SERVED' | 'NAME_SERVICE_UNAVAILABLE' | 'ADDRESS_KIND_UNKNOWN' | 'CHAIN_NOT_SUPPORTED' | 'GAS_PRICE_ABOVE_CAP' | 'NO_GAS_FOR_SENDING' | 'INSUFFICIENT_BALANCE' | 'INSUFFICIENT_FUNDS_FOR_FEES' | 'PROVENANCE_MIX' | 'FEE_TOKEN_UNPRICED' | 'SIMULATION_FAILED' | 'QUOTE_LOCK_CONFLICT' | 'IDEMPOTENT_QUOTE_ENDED' | 'TOKEN_METADATA_UNAVAILABLE' | 'DECIMALS_MISMATCH' | 'DESTINATION_INVALID' | 'DESTINATION_NOT_FOUND' | 'NAME_LOOKUPS_EXHAUSTED' | 'CONTRACT_RECIPIENT' | 'BURN_ADDRESS_RECIPIENT' | 'TOKEN_CONTRACT_RECIPIENT' | 'SERVICE_CONTRACT_RECIPIENT' | 'ADDRESS_POISONING_MATCH' | 'SWAP_UNAVAILABLE' | 'SAME_TOKEN' | 'TOKEN_OUT_UNKNOWN' | 'SLIPPAGE_TOO_LOW' | 'SLIPPAGE_TOO_HIGH' | 'PRICE_IMPACT_TOO_HIGH' | 'AMOUNT_TOO_LOW' | 'AMOUNT_TOO_HIGH' | 'CASH_OUT_UNSUPPORTED' | 'PAYEE_REFUSED' | 'CASH_OUT_UNAVAILABLE' | 'CASH_OUT_TOO_SMALL' | 'NOTHING_TO_WITHDRAW' | 'WITHDRAWAL_TOO_LARGE' | 'WITHDRAWAL_LEAVES_TOO_LITTLE' | 'WITHDRAWAL_UNDER_WAY' | 'POOL_STATE_REFRESHING' | 'MAX_GAS_PRICE' | 'WITHDRAWAL_AMOUNT_TOO_SMALL' | 'TOLD_SPENDS_FULL' | 'POOL_DEAD' | 'DEPOSIT_AMOUNT_TOO_SMALL' | 'DEPOSIT_AMOUNT_TOO_LARGE' | 'PRECOMMITMENTS_NEEDED' | 'PRECOMMITMENT_INVALID' | 'PRECOMMITMENT_ALREADY_USED' | 'DEPOSIT_INDEX_TAKEN' | 'DEPOSIT_INDEX_GAP' | 'APP_BLOCKED' | 'NOT_OWN_ADDRESS' | 'ADDRESS_OF_ANOTHER_APP' | 'CALL_TO_OWN_ACCOUNT'
  }
  /** Put a quote at the present cost in the place of another. */
  refreshQuote: {
    path: { accountId: string; quoteId: string }
    query: {}
    body: undefined
    answer: Schemas['Quote']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEYS_EXHAUSTED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'APP_BLOCKED' | 'NOT_OWN_ADDRESS' | 'ADDRESS_OF_ANOTHER_APP' | 'CALL_TO_OWN_ACCOUNT' | 'ALREADY_RECOVERED' | 'RECOVER_MISMATCH' | 'NOTE_SPENT' | 'PUBLIC_LINK' | 'INVALID_PROOF' | 'RECOVERY_UNDER_WAY' | 'COLLECTIBLE_UNDER_WAY' | 'ADDRESS_NOT_SERVED' | 'ADDRESS_KIND_UNKNOWN' | 'QUOTE_NOT_REFRESHABLE' | 'CHAIN_NOT_SUPPORTED' | 'GAS_PRICE_ABOVE_CAP' | 'NO_GAS_FOR_SENDING' | 'INSUFFICIENT_BALANCE' | 'INSUFFICIENT_FUNDS_FOR_FEES' | 'PROVENANCE_MIX' | 'FEE_TOKEN_UNPRICED' | 'SIMULATION_FAILED' | 'QUOTE_LOCK_CONFLICT' | 'IDEMPOTENT_QUOTE_ENDED' | 'TOKEN_METADATA_UNAVAILABLE' | 'SWAP_UNAVAILABLE' | 'SAME_TOKEN' | 'TOKEN_OUT_UNKNOWN' | 'SLIPPAGE_TOO_LOW' | 'SLIPPAGE_TOO_HIGH' | 'PRICE_IMPACT_TOO_HIGH' | 'AMOUNT_TOO_LOW' | 'AMOUNT_TOO_HIGH' | 'CASH_OUT_UNSUPPORTED' | 'PAYEE_REFUSED' | 'CASH_OUT_UNAVAILABLE' | 'CASH_OUT_TOO_SMALL' | 'NOTHING_TO_WITHDRAW' | 'WITHDRAWAL_TOO_LARGE' | 'WITHDRAWAL_LEAVES_TOO_LITTLE' | 'WITHDRAWAL_UNDER_WAY' | 'POOL_NOT_FOUND' | 'POOL_STATE_REFRESHING' | 'POOL_DEAD' | 'DEPOSIT_AMOUNT_TOO_SMALL' | 'DEPOSIT_AMOUNT_TOO_LARGE' | 'PRECOMMITMENTS_NEEDED' | 'PRECOMMITMENT_INVALID' | 'PRECOMMITMENT_ALREADY_USED' | 'DEPOSIT_INDEX_TAKEN' | 'DEPOSIT_INDEX_GAP'
  }
  /** Give up a quote. */
  unlockQuote: {
    path: { accountId: string }
    query: {}
    body: Schemas['UnlockRequest']
    answer: Schemas['UnlockedQuote']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'ADDRESS_NOT_SERVED' | 'QUOTE_SUBMITTED'
  }
  /** The most that can be sent. */
  maxSpendable: {
    path: { accountId: string }
    query: {}
    body: Schemas['MaxSpendableRequest']
    answer: Schemas['MaxSpendable']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'ADDRESS_NOT_SERVED' | 'CHAIN_NOT_SUPPORTED' | 'FEE_TOKEN_UNPRICED' | 'SIMULATION_FAILED' | 'TOKEN_METADATA_UNAVAILABLE' | 'SWAP_UNAVAILABLE' | 'SAME_TOKEN' | 'TOKEN_OUT_UNKNOWN' | 'SLIPPAGE_TOO_LOW' | 'SLIPPAGE_TOO_HIGH' | 'PRICE_IMPACT_TOO_HIGH' | 'AMOUNT_TOO_LOW' | 'AMOUNT_TOO_HIGH' | 'CASH_OUT_UNSUPPORTED' | 'POOL_NOT_FOUND' | 'POOL_STATE_REFRESHING' | 'POOL_DEAD'
  }
  /** Preview of a swap. */
  swapPreview: {
    path: { accountId: string }
    query: {}
    body: Schemas['SwapPreviewRequest']
    answer: Schemas['SwapPreview']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'ADDRESS_NOT_SERVED' | 'ADDRESS_KIND_UNKNOWN' | 'CHAIN_NOT_SUPPORTED' | 'FEE_TOKEN_UNPRICED' | 'SIMULATION_FAILED' | 'TOKEN_METADATA_UNAVAILABLE' | 'SWAP_UNAVAILABLE' | 'SAME_TOKEN' | 'TOKEN_OUT_UNKNOWN' | 'SLIPPAGE_TOO_LOW' | 'SLIPPAGE_TOO_HIGH' | 'PRICE_IMPACT_TOO_HIGH' | 'AMOUNT_TOO_LOW' | 'AMOUNT_TOO_HIGH'
  }
  /** Preview of a cash-out. */
  offrampPreview: {
    path: { accountId: string }
    query: {}
    body: Schemas['OfframpPreviewRequest']
    answer: Schemas['OfframpPreview']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'ADDRESS_NOT_SERVED' | 'CHAIN_NOT_SUPPORTED' | 'FEE_TOKEN_UNPRICED' | 'SIMULATION_FAILED' | 'TOKEN_METADATA_UNAVAILABLE' | 'SWAP_UNAVAILABLE' | 'AMOUNT_TOO_LOW' | 'AMOUNT_TOO_HIGH' | 'CASH_OUT_UNSUPPORTED' | 'CASH_OUT_UNAVAILABLE' | 'CASH_OUT_TOO_SMALL'
  }
  /** The picture of a destination. */
  destinationAvatar: {
    path: { accountId: string }
    query: { destinationAddress: string }
    body: undefined
    answer: Schemas['DestinationAvatar']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Facts about an address. */
  recipientAddressKind: {
    path: { accountId: string }
    query: { chainId: number; address: Address }
    body: undefined
    answer: Schemas['RecipientAddressKind']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'ADDRESS_KIND_UNKNOWN' | 'CHAIN_NOT_SUPPORTED'
  }
  /** Take a deposit back in the open. */
  preparePoolRecovery: {
    path: { accountId: string }
    query: {}
    body: Schemas['PoolRecoverRequest']
    answer: Schemas['Quote']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEYS_EXHAUSTED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'RECOVER_CALLDATA_INVALID' | 'ALREADY_RECOVERED' | 'RECOVER_MISMATCH' | 'NOTE_SPENT' | 'PUBLIC_LINK' | 'INVALID_PROOF' | 'RECOVERY_UNDER_WAY' | 'FEES_EXCEED_VALUE' | 'FEE_TOKEN_UNPRICED' | 'ADDRESS_NOT_SERVED' | 'CHAIN_NOT_SUPPORTED' | 'SIMULATION_FAILED' | 'QUOTE_LOCK_CONFLICT' | 'IDEMPOTENT_QUOTE_ENDED' | 'GAS_PRICE_ABOVE_CAP' | 'NO_GAS_FOR_SENDING' | 'TOKEN_METADATA_UNAVAILABLE'
  }
  /** Send a collectible away for free. */
  withdrawCollectible: {
    path: { accountId: string }
    query: {}
    body: Schemas['CollectibleWithdrawRequest']
    answer: Schemas['Quote']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEYS_EXHAUSTED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'COLLECTIBLE_RECIPIENT_OWN' | 'COLLECTIBLE_UNDER_WAY' | 'COLLECTIBLE_WITHDRAWN_LATELY' | 'BURN_ADDRESS_RECIPIENT' | 'TOKEN_CONTRACT_RECIPIENT' | 'SERVICE_CONTRACT_RECIPIENT' | 'CONTRACT_RECIPIENT' | 'ADDRESS_POISONING_MATCH' | 'ADDRESS_KIND_UNKNOWN' | 'ADDRESS_NOT_SERVED' | 'CHAIN_NOT_SUPPORTED' | 'SIMULATION_FAILED' | 'QUOTE_LOCK_CONFLICT' | 'IDEMPOTENT_QUOTE_ENDED' | 'GAS_PRICE_ABOVE_CAP' | 'NO_GAS_FOR_SENDING'
  }
  /** Send what was signed. */
  submitQuote: {
    path: { accountId: string }
    query: {}
    body: Schemas['QuoteSubmission']
    answer: Schemas['QuoteSubmitted']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'QUOTE_EXPIRED' | 'QUOTE_REFRESH_REQUIRED' | 'QUOTE_MISMATCH' | 'NOTE_SPENT' | 'INVALID_SIGNATURE' | 'AUTHORIZATION_NONCE_STALE' | 'SIMULATION_FAILED' | 'TOO_MANY_FAILED' | 'TOO_MANY_UNDER_WAY' | 'GAS_BUDGET_USED_UP' | 'GAS_PRICE_ABOVE_CAP' | 'NO_GAS_FOR_SENDING' | 'POOL_NOT_FOUND' | 'POOL_DEAD' | 'PRECOMMITMENT_ALREADY_USED' | 'COLLECTIBLE_WITHDRAWN_LATELY'
  }
  /** How far a submitted quote is. */
  relayStatus: {
    path: { accountId: string; quoteId: string }
    query: {}
    body: undefined
    answer: Schemas['RelayStatus']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Activities. */
  accountActivities: {
    path: { accountId: string }
    query: { limit?: number; cursor?: string; hideLikelySpam?: boolean | string }
    body: undefined
    answer: Schemas['Activities']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Activities with an address. */
  searchActivities: {
    path: { accountId: string }
    query: {}
    body: Schemas['ActivitySearch']
    answer: Schemas['ActivitySearchAnswer']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Pending activities. */
  pendingActivities: {
    path: { accountId: string }
    query: { address?: Address }
    body: undefined
    answer: Schemas['PendingActivities']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Progress of pending activities. */
  pendingActivityStatus: {
    path: { accountId: string }
    query: {}
    body: Schemas['PendingStatusRequest']
    answer: Schemas['PendingStatuses']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** How much there is to review. */
  depositReviewSummary: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['DepositReviewSummary']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Received payments and their review. */
  depositReview: {
    path: { accountId: string }
    query: { snapshotId?: string; tab?: string; cursor?: string; limit?: number }
    body: undefined
    answer: Schemas['DepositReviewPage']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Mark what came in as seen. */
  markDepositReviewSeen: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['ReviewSeen']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Skip an address. */
  skipDepositReview: {
    path: { accountId: string; address: Address }
    query: {}
    body: Schemas['NewReviewSkip']
    answer: Schemas['WrittenReviewSkip']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'REVIEW_SKIP_UNSEEN'
  }
  /** Take a skip back. */
  restoreDepositReview: {
    path: { accountId: string; address: Address }
    query: {}
    body: undefined
    answer: Schemas['RestoredReviewSkip']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The notes on activity. */
  activityNotes: {
    path: { accountId: string }
    query: { limit?: number; cursor?: string }
    body: undefined
    answer: Schemas['ActivityNotePage']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Set or clear a note. */
  writeActivityNote: {
    path: { accountId: string }
    query: {}
    body: Schemas['NewActivityNote']
    answer: Schemas['WrittenActivityNote']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'NOTES_FULL'
  }
  /** The tags on own addresses. */
  provenanceAddressTags: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['ProvenanceAddressTags']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Set or clear the tag on an own address. */
  writeProvenanceAddressTag: {
    path: { accountId: string; address: Address }
    query: {}
    body: Schemas['NewAddressTag']
    answer: Schemas['WrittenProvenanceAddressTag']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'NOTES_FULL'
  }
  /** The contacts. */
  addressBook: {
    path: { accountId: string }
    query: {}
    body: undefined
    answer: Schemas['AddressBook']
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Whether an address is the account’s own. */
  addressBookOwnership: {
    path: { accountId: string; address: Address }
    query: {}
    body: undefined
    answer: Schemas['ContactOwnership']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Save a contact. */
  saveContact: {
    path: { accountId: string; address: Address }
    query: {}
    body: Schemas['NewContact']
    answer: Schemas['SavedContact']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CONTACT_SIGNATURE_INVALID' | 'CONTACT_SIGNATURE_EXPIRED' | 'CONTACT_SIGNATURE_OUTDATED' | 'ADDRESS_BOOK_FULL'
  }
  /** Delete a contact. */
  deleteContact: {
    path: { accountId: string; address: Address }
    query: {}
    body: undefined
    answer: Schemas['DeletedContact']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Chains that are served. */
  supportedChains: {
    path: {}
    query: {}
    body: undefined
    answer: readonly (Schemas['SupportedChain'])[]
    code: 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Pools that are served. */
  supportedPools: {
    path: {}
    query: {}
    body: undefined
    answer: readonly (Schemas['SupportedPool'])[]
    code: 'UNAUTHORIZED' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'POOL_STATE_REFRESHING'
  }
  /** All that spending from a pool needs. */
  poolState: {
    path: { accountId: string }
    query: { chainId: number; token: Address; fromIndex?: number; fromSpent?: number; aspFromIndex?: number }
    body: undefined
    answer: Schemas['PoolState']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'POOL_NOT_FOUND' | 'POOL_STATE_REFRESHING'
  }
  /** The account’s notes in a pool. */
  poolCommitments: {
    path: { accountId: string }
    query: { chainId: number; token: Address }
    body: undefined
    answer: Schemas['PoolCommitments']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'POOL_NOT_FOUND' | 'POOL_STATE_REFRESHING'
  }
  /** Say what is left of the notes. */
  settlePoolCommitments: {
    path: { accountId: string }
    query: {}
    body: Schemas['PoolSettlement']
    answer: Schemas['PoolCommitments']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'POOL_NOT_FOUND' | 'POOL_STATE_REFRESHING' | 'COMMITMENT_NOT_FOUND' | 'SETTLEMENT_REFUSED'
  }
  /** Tokens that are known. */
  tokenCatalog: {
    path: {}
    query: { q?: string; chainId?: number; limit?: number; cursor?: string; include?: readonly (Schemas['TokenInclude'])[] }
    body: undefined
    answer: Schemas['TokenCatalog']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Tokens that are popular on a chain. */
  popularTokens: {
    path: {}
    query: { chainId: number }
    body: undefined
    answer: Schemas['PopularTokens']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Look up a token. */
  tokenLookup: {
    path: {}
    query: { address: Address; chainId: number; include?: readonly (Schemas['TokenInclude'])[] }
    body: undefined
    answer: Schemas['Token']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'TOKEN_METADATA_UNAVAILABLE'
  }
  /** Tokens of an account. */
  accountTokens: {
    path: { accountId: string }
    query: { include?: readonly (Schemas['TokenInclude'])[] }
    body: undefined
    answer: Schemas['TokenList']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** Add a token to an account. */
  addAccountToken: {
    path: { accountId: string }
    query: { include?: readonly (Schemas['TokenInclude'])[] }
    body: Schemas['AddTokenRequest']
    answer: Schemas['Token']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'TOKEN_METADATA_UNAVAILABLE'
  }
  /** A token and what the account has of it. */
  accountToken: {
    path: { accountId: string; chainId: number; address: Address }
    query: { include?: readonly (Schemas['TokenInclude'])[] }
    body: undefined
    answer: Schemas['AccountToken']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED' | 'TOKEN_METADATA_UNAVAILABLE'
  }
  /** Effects of calls. */
  simulate: {
    path: {}
    query: {}
    body: Schemas['SimulateBody']
    answer: Schemas['Simulation']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CHAIN_NOT_SUPPORTED'
  }
  /** Which functions selectors may name. */
  functionSignatures: {
    path: {}
    query: {}
    body: Schemas['FunctionSignaturesBody']
    answer: Schemas['FunctionSignatures']
    code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE'
  }
  /** The function of a verified contract. */
  sourcifyFunction: {
    path: {}
    query: { chainId: number; address: Address; selector: Hex; caller?: Address }
    body: undefined
    answer: Schemas['VerifiedFunction']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'CODE_MISMATCH' | 'SOURCES_UNAVAILABLE'
  }
  /** Meaning of a call or a message. */
  clearSigningDescriptor: {
    path: {}
    query: { chainId: number; address: Address; kind: Schemas['DescriptorKind']; caller?: Address; selector?: Hex; formatKey?: string }
    body: undefined
    answer: Schemas['ClearSigningDescriptor']
    code: 'BAD_REQUEST' | 'SERVER_BUSY' | 'DATABASE_AWAY' | 'ANSWER_LATE' | 'BINDING_UNAVAILABLE'
  }
}

/** The members of an error, by its code, beside `error` and `message`. */
export interface ErrorMembers {
  /** The request is malformed; the message names each offending member. Retry: With a corrected request. */
  BAD_REQUEST: {}
  /** A queue is full, a node or provider does not answer, or no signer has funds for gas. Retry: After `Retry-After` seconds. */
  SERVER_BUSY: {}
  /** The service cannot reach its database: it accepts nothing, and most reads fail. Retry: The same request after `Retry-After` seconds; a submission or a relay is not sent twice. */
  DATABASE_AWAY: {}
  /** The service did not finish in time, mostly because a node or provider does not answer. Retry: The same request after `Retry-After` seconds, with the same Idempotency-Key if it had one. */
  ANSWER_LATE: {}
  /** This service does not serve that chain. 404 where the chain is in the path. Retry: For another chain. */
  CHAIN_NOT_SUPPORTED: {}
  /** No pool of that asset is served on the chain. Retry: For another asset. */
  ASSET_NOT_SUPPORTED: {}
  /** The chain’s state is stale, or the pending relays would make the pool forget the state root of the proof. Retry: After `Retry-After` seconds; with a proof against a newer root where the message asks for one. */
  POOL_STATE_REFRESHING: {}
  /** The amount is below the minimum, or the fee would exceed what the pool allows; `minAmount` is the bound. Retry: With a larger amount. */
  WITHDRAWAL_AMOUNT_TOO_SMALL: { tokenSymbol: string; tokenAddress: string; tokenDecimals: number; minAmount?: string; maxRelayFeeBPS?: number; requiredRelayFeeBPS?: string; maxSendable?: string; selectedAmount?: string; selectedCount?: number; relayFee?: string; feeLimit?: string }
  /** Funds sent to this address are lost. Retry: To another recipient. */
  BURN_ADDRESS_RECIPIENT: {}
  /** The recipient is the contract of a token: funds sent there are lost. Retry: To another recipient. */
  TOKEN_CONTRACT_RECIPIENT: {}
  /** The recipient is a privacy pool, or a contract through which the service sends, relays, swaps or bridges: funds sent there are lost. Retry: To another recipient. */
  SERVICE_CONTRACT_RECIPIENT: {}
  /** extraGas is not offered on that chain. If it alone makes the fee too high, the message of WITHDRAWAL_AMOUNT_TOO_SMALL has this word. Retry: Without `extraGas`. */
  UNSUPPORTED_FEATURE: {}
  /** Gas costs more than this relayer pays. Retry: Later. */
  MAX_GAS_PRICE: {}
  /** The service has no coins to pay gas with on that chain: it sends nothing there, and reads still work. Retry: After `Retry-After` seconds: the operator has to fund a signer. */
  NO_GAS_FOR_SENDING: {}
  /** Too many transactions of this sort failed at the service’s cost within the hour: of this account, of a contract that it calls, or of all like it. Payments of listed tokens to addresses without code have a budget of their own. Retry: After `Retry-After` seconds. */
  GAS_BUDGET_USED_UP: {}
  /** The sign-in’s signature, nonce, domain or time is wrong. Retry: With a new nonce. */
  UNPROCESSABLE_ENTITY: {}
  /** The request has no token, or one that is not valid any more. Retry: With a new token. */
  UNAUTHORIZED: {}
  /** OAuth: the request is malformed, or names a redirect URI that the client has not registered. Retry: With a corrected request. */
  invalid_request: {}
  /** OAuth: the client that is to be authorized is not registered. Retry: No. */
  unauthorized_client: {}
  /** OAuth: tokens are given for authorization codes only. Retry: With `grant_type` `authorization_code`. */
  unsupported_grant_type: {}
  /** OAuth: the client is not registered. Retry: No. */
  invalid_client: {}
  /** OAuth: the code is unknown, used, expired, or was given for another request. Retry: With a new code. */
  invalid_grant: {}
  /** The name was looked up so often in the last hour that no address is left for a new asker. Retry: After `Retry-After` seconds. */
  NAME_LOOKUPS_EXHAUSTED: {}
  /** The Idempotency-Key was used with another input before. Retry: With another key. */
  IDEMPOTENCY_KEY_REUSED: {}
  /** The account has used 20,000 Idempotency-Keys in 24 hours, or its stored answers have 32 MB (512 KB while those of all accounts have 4 GB). Retry: Without a key where none is needed, or later. */
  IDEMPOTENCY_KEYS_EXHAUSTED: {}
  /** The operator refuses this app: it gets no address and no quote. Retry: No. */
  APP_BLOCKED: {}
  /** The account has addresses for the maximum number of apps. Retry: No. */
  TOO_MANY_APPS: {}
  /** Another app knows the address, or this app knows another one of the account: using it would reveal that both belong to one person. Retry: With the address that `dapp-addresses` has for this app. */
  ADDRESS_OF_ANOTHER_APP: {}
  /** The token’s decimals cannot be read. Retry: After `Retry-After` seconds. */
  TOKEN_METADATA_UNAVAILABLE: {}
  /** No pool of that token is served on the chain, or none that the account may use. Retry: For a token of `supportedPools`. */
  POOL_NOT_FOUND: {}
  /** Not served for legal reasons; `recoveryUrl` says where funds can be had back. Retry: No. */
  ADDRESS_NOT_SERVED: { recoveryUrl?: unknown }
  /** Neither the chain of the name service nor the server of the name answers. Retry: In some seconds, or with an address. */
  NAME_SERVICE_UNAVAILABLE: {}
  /** No node of the chain says whether there is code at the address. Retry: In some seconds. */
  ADDRESS_KIND_UNKNOWN: {}
  /** Gas on that chain costs more than the service pays: nothing would be sent there. Retry: After `Retry-After` seconds, when gas may be cheaper. */
  GAS_PRICE_ABOVE_CAP: {}
  /** The account has less than that; `available` says how much. Retry: With a smaller amount. */
  INSUFFICIENT_BALANCE: { tokenSymbol: string; tokenAddress: string; tokenDecimals: number; available: string }
  /** Amount and fee exceed the balance; `maxSendable` is the most that can be sent. Retry: With a smaller amount. */
  INSUFFICIENT_FUNDS_FOR_FEES: { tokenSymbol: string; tokenAddress: string; tokenDecimals: number; maxSendable: string; feeEstimate?: string; required?: string; shortfall: string; spendableCount?: number; maxInputs?: number; feePaymentOptions?: readonly (Schemas['FeePaymentOption'])[] }
  /** Only addresses whose money comes from different origins suffice together: paying would join them on chain for good. `addresses` would pay, `maxSendable` is what can be sent without joining them. Retry: With `maxSendable`, or with `addresses` as `acknowledgedProvenanceMix` if the user accepts it. */
  PROVENANCE_MIX: { addresses: readonly (string)[]; maxSendable: string }
  /** Fees cannot be paid in the token: it has no price, only an old one, or it is neither listed nor exchanged by deep pools. Retry: With another token; later where its price is only old. */
  FEE_TOKEN_UNPRICED: { tokenSymbol: string; tokenAddress: string; tokenDecimals: number }
  /** The chain would refuse the transaction. Retry: With a new quote, once the cause is gone. */
  SIMULATION_FAILED: {}
  /** Another quote has locked the same funds. Retry: Once that quote is unlocked or over. */
  QUOTE_LOCK_CONFLICT: {}
  /** The quote that this Idempotency-Key got was unlocked or replaced since. Retry: With another key. */
  IDEMPOTENT_QUOTE_ENDED: {}
  /** The token has other decimals than `decimals` says. Retry: With the token’s decimals. */
  DECIMALS_MISMATCH: {}
  /** The destination is neither an address nor a name, or its checksum is wrong. Retry: With a corrected destination. */
  DESTINATION_INVALID: {}
  /** The name has no address on that chain. Its address for Ethereum counts there only if it is no contract. Retry: To another recipient. */
  DESTINATION_NOT_FOUND: {}
  /** The recipient is a contract, which may not be able to pass on what it is sent. Retry: With `acknowledgedContractRecipient: resolvedAddress`, once the user agrees. */
  CONTRACT_RECIPIENT: { resolvedAddress: string }
  /** The recipient looks like an address that the account knows; `matchedAddress` is that one. Retry: With `acknowledgedAddressPoisoningMatch`, once the user has compared the two. */
  ADDRESS_POISONING_MATCH: { resolvedAddress: string; matchedAddress: string; matchedPrefixCharsCount: number; matchedSuffixCharsCount: number; matchSource: string; contactName?: string }
  /** No venue has a price. Retry: Later. */
  SWAP_UNAVAILABLE: {}
  /** The token to get is the token to give. Retry: With another `tokenOut`. */
  SAME_TOKEN: {}
  /** There is no token at `tokenOut` on that chain. Retry: With another `tokenOut`. */
  TOKEN_OUT_UNKNOWN: {}
  /** With this slippage the swap would fail: prices move more, or the token keeps a part of what is sent. Retry: With `recommendedSlippageBps`, or with slippageMode `auto`. */
  SLIPPAGE_TOO_LOW: { requestedSlippageBps: number; recommendedSlippageBps: number }
  /** With this slippage more than half of the output could be lost. Retry: With a slippage of at most 5000 basis points. */
  SLIPPAGE_TOO_HIGH: {}
  /** The swap gives far less than the market price; `priceImpact` is the difference in percent. Retry: With a smaller amount, or with `acknowledgedPriceImpact` at least as high as `priceImpact`. */
  PRICE_IMPACT_TOO_HIGH: { priceImpact: number }
  /** The output would be zero, or the bridge carries no such small amount; `minimum` is the least that it carries, if known. Retry: With a larger amount. */
  AMOUNT_TOO_LOW: { minimum?: string }
  /** The bridge does not carry so much at once; `maximum` is the most that it carries, if known. Retry: With a smaller amount. */
  AMOUNT_TOO_HIGH: { maximum?: string }
  /** No venue sells that token on that chain for that currency by that payment method; `offramp-preview` lists what is sold, and for what. Retry: With a token, a method and a currency that are offered; swap into the token first. */
  CASH_OUT_UNSUPPORTED: {}
  /** The venue does not pay this payee by that method: it knows no such handle, or refuses it. Retry: With another payee. */
  PAYEE_REFUSED: {}
  /** The venue has no price now, or does not say whether it pays the payee. Retry: Later. */
  CASH_OUT_UNAVAILABLE: {}
  /** The amount is below the least that the venue sells, `minimum`. Retry: With a larger amount. */
  CASH_OUT_TOO_SMALL: { minimum: string }
  /** The escrow has nothing of this deposit that can be withdrawn now: it was sold or withdrawn, or buyers hold it. It can be from `offRamp.recoverableAt` on. Retry: If buyers hold it: once their time has run out. */
  NOTHING_TO_WITHDRAW: { held: string }
  /** Only a smaller amount can be withdrawn now: `available`. Retry: With a smaller amount, or without one for all of it. */
  WITHDRAWAL_TOO_LARGE: { available: string; held: string }
  /** The rest in the escrow would be below the smallest purchase, which would end the sale silently; `leastLeft` must stay. Retry: Without an amount for all of it, or with one that leaves at least `leastLeft`. */
  WITHDRAWAL_LEAVES_TOO_LITTLE: { leastLeft: string }
  /** The quote `quoteId` takes this deposit back. Retry: Submit or unlock that quote, or wait for its end. */
  WITHDRAWAL_UNDER_WAY: { quoteId?: string }
  /** The account has reported the maximum number of spends from this pool. Retry: No: spend without a report, by `pool/state` and `/relayer`. */
  TOLD_SPENDS_FULL: {}
  /** The pool no longer accepts deposits. Withdrawals are still possible. Retry: No. */
  POOL_DEAD: {}
  /** The pool has a minimum for each deposit, and with it for each address that deposits. Retry: With at least `minAmount` for each address. */
  DEPOSIT_AMOUNT_TOO_SMALL: { tokenSymbol: string; tokenAddress: string; tokenDecimals: number; minAmount: string }
  /** The pool has a maximum for each deposit. Retry: With at most `maxAmount` from each address. */
  DEPOSIT_AMOUNT_TOO_LARGE: { tokenSymbol: string; tokenAddress: string; tokenDecimals: number; maxAmount: string }
  /** More addresses would deposit than there are precommitments. Retry: With `count` precommitments, from `nextDepositIndex` on. */
  PRECOMMITMENTS_NEEDED: { count: number; nextDepositIndex: number }
  /** A precommitment is zero, outside the field, or given twice. Retry: With other precommitments. */
  PRECOMMITMENT_INVALID: {}
  /** A deposit has that precommitment, or another quote of the account does. Retry: With the next index and its precommitment; this index is never used again. */
  PRECOMMITMENT_ALREADY_USED: { depositIndex: number }
  /** A deposit of the account in this pool has that index, or a quote that has not ended. Retry: From `nextDepositIndex` on. */
  DEPOSIT_INDEX_TAKEN: { depositIndex: number; nextDepositIndex: number }
  /** A published wallet would not find the note: it stops after ten indices without a deposit. Retry: From `nextDepositIndex` on, up to `maxDepositIndex`; once pending quotes are mined or have ended, if that is less. */
  DEPOSIT_INDEX_GAP: { depositIndex: number; maxDepositIndex: number; nextDepositIndex: number }
  /** `connectedAddress` is not an address of the account. Retry: With the address that the app knows. */
  NOT_OWN_ADDRESS: {}
  /** A call goes to an address of the account, or to a contract that runs it: it could give an app control of the address, or link addresses. Retry: Without that call. */
  CALL_TO_OWN_ACCOUNT: {}
  /** The rest of the deposit has been recovered. Retry: No. */
  ALREADY_RECOVERED: {}
  /** The proof belongs to no note of that deposit. Retry: With a proof of the note that is left of the deposit. */
  RECOVER_MISMATCH: {}
  /** The note was spent; the rest of the deposit is in a newer one. Retry: With the newest note of the deposit, after reading `pool/state` again. */
  NOTE_SPENT: {}
  /** The note is the change of a withdrawal. Recovering it publishes its commitment with the deposit’s label. This shows that the depositor made every earlier withdrawal of the deposit. Retry: With `acknowledgedPublicLink: true`; or spend the note by a withdrawal instead. */
  PUBLIC_LINK: {}
  /** The proof does not verify. Retry: With a right proof. */
  INVALID_PROOF: {}
  /** The quote `quoteId` recovers this deposit. Retry: Submit or unlock that quote, or wait for its end. */
  RECOVERY_UNDER_WAY: { quoteId?: string }
  /** The quote `quoteId` sends this collectible away. Retry: Submit or unlock that quote, or wait for its end. */
  COLLECTIBLE_UNDER_WAY: { quoteId?: string }
  /** The quote has ended or was submitted. Retry: With a new quote. */
  QUOTE_NOT_REFRESHABLE: {}
  /** The quote was submitted and cannot be unlocked. Retry: No: follow its relay status. */
  QUOTE_SUBMITTED: {}
  /** `recoverCalldata` is not the ABI encoding of `ragequit(proof)`: 388 bytes. Retry: With the calldata of a proof by the circuit `commitment`. */
  RECOVER_CALLDATA_INVALID: {}
  /** The note is worth less than the gas of its recovery. Retry: When gas is cheaper. */
  FEES_EXCEED_VALUE: {}
  /** The recipient is an address of the account: the transfer would link both in public. Retry: To another recipient. */
  COLLECTIBLE_RECIPIENT_OWN: {}
  /** This collectible was sent away within 24 hours, and the service pays for one transfer a day. Retry: From `availableAt` on. */
  COLLECTIBLE_WITHDRAWN_LATELY: { availableAt: string }
  /** The quote has expired, or was unlocked or refreshed. Retry: With a new quote. */
  QUOTE_EXPIRED: {}
  /** Gas rose beyond what was signed, the price of a swap or the rate of a cash-out moved, or the venue of a cash-out changed or does not pay its payee any more. Retry: After a refresh, with new signatures. */
  QUOTE_REFRESH_REQUIRED: {}
  /** The submission differs from the quote. Retry: With what the quote asked to sign. */
  QUOTE_MISMATCH: {}
  /** A signature is not by the key of its address. Retry: With the right signature. */
  INVALID_SIGNATURE: {}
  /** The address sent something by itself since the quote was made. Retry: With a new quote. */
  AUTHORIZATION_NONCE_STALE: {}
  /** Too many payments of the account failed on the chain lately, at the service’s cost. Retry: Later. */
  TOO_MANY_FAILED: {}
  /** The account has the maximum number of pending payments, which is lower after one failed on the chain. Retry: Once some of them have ended. */
  TOO_MANY_UNDER_WAY: {}
  /** The skip names a later receipt or more receipts than the address has, or the address is not in the review. Retry: With `lastReceivedAt` and `rawReceiveCount` of the item as it is shown. */
  REVIEW_SKIP_UNSEEN: {}
  /** The account has the maximum number of notes, or of characters in tags. Retry: Once a note or tag is cleared. */
  NOTES_FULL: {}
  /** The contact is not signed by the spending key. Retry: With the right signature. */
  CONTACT_SIGNATURE_INVALID: {}
  /** The contact was signed more than ten minutes ago. Retry: With a new signature. */
  CONTACT_SIGNATURE_EXPIRED: {}
  /** The contact was written or deleted since this was signed. Retry: With a new signature. */
  CONTACT_SIGNATURE_OUTDATED: {}
  /** The address book has the maximum number of contacts. Retry: Once a contact is deleted. */
  ADDRESS_BOOK_FULL: {}
  /** The account has no such note in the pool: it is another’s, was recovered, or is still on its way. Retry: With an id of `pool/commitments`. */
  COMMITMENT_NOT_FOUND: {}
  /** The settlement names a note twice, with no more withdrawals than the service knows, or with a higher value. Retry: After reading `pool/commitments` again. */
  SETTLEMENT_REFUSED: {}
  /** The server of verified sources has other code than the chain. Retry: No: treat the contract as not verified. */
  CODE_MISMATCH: {}
  /** The server of verified sources, or the chain’s node, does not answer, or answers nonsense; or your share of the questions to the server is used up. Retry: After `Retry-After` seconds. */
  SOURCES_UNAVAILABLE: {}
  /** No node of the chain says what is at the address, which a proxy or a standard depends on. Retry: At any time. */
  BINDING_UNAVAILABLE: {}
}

/** Method and path of each operation, and whether it honours an Idempotency-Key. */
export const OPERATIONS = {
  relayerDetails: ['GET', '/relayer/details', false],
  relayerQuote: ['POST', '/relayer/quote', false],
  relayerRequest: ['POST', '/relayer/request', false],
  relayerRequestStatus: ['GET', '/relayer/request/{requestId}', false],
  hpkePublicKey: ['GET', '/v1/.well-known/hpke-public-key', false],
  nonce: ['GET', '/v1/nonce', false],
  verify: ['POST', '/v1/verify', false],
  logout: ['POST', '/v1/logout', false],
  authorizeExtension: ['POST', '/v1/extension-authorizations', false],
  exchangeCode: ['POST', '/v1/oauth/token', false],
  jwks: ['GET', '/.well-known/jwks.json', false],
  createAccount: ['POST', '/v1/accounts', false],
  account: ['GET', '/v1/accounts/{accountId}', false],
  contactEmail: ['GET', '/v1/accounts/{accountId}/contact-email', false],
  setContactEmail: ['PUT', '/v1/accounts/{accountId}/contact-email', false],
  deleteContactEmail: ['DELETE', '/v1/accounts/{accountId}/contact-email', false],
  setCustomEnsName: ['PUT', '/v1/accounts/{accountId}/custom-ens-name', false],
  deleteCustomEnsName: ['DELETE', '/v1/accounts/{accountId}/custom-ens-name', false],
  dismissProfilePrompt: ['PUT', '/v1/accounts/{accountId}/profile-prompts/{promptId}/dismissal', false],
  subdomainCheck: ['GET', '/v1/subdomain/check', false],
  claimSubdomain: ['POST', '/v1/accounts/{accountId}/subdomain', false],
  suggestSubdomain: ['GET', '/v1/accounts/{accountId}/subdomain/generate', false],
  lookUpName: ['GET', '/ccip/{sender}/{callData}', false],
  lookUpNameByPost: ['POST', '/ccip', false],
  referralAvailability: ['GET', '/v1/referrals/availability', false],
  resolveReferrer: ['GET', '/v1/referrals/by-name/{name}/resolve', false],
  previewReferral: ['GET', '/v1/referrals/{code}/preview', false],
  referralAttribution: ['GET', '/v1/accounts/{accountId}/referrals/attribution', false],
  endReferralAttribution: ['DELETE', '/v1/accounts/{accountId}/referrals/attribution', false],
  referralSummary: ['GET', '/v1/accounts/{accountId}/referrals/summary', false],
  openReferralProfile: ['POST', '/v1/accounts/{accountId}/referrals/profile', false],
  createPaymentAddress: ['POST', '/v1/accounts/{accountId}/payment-address', true],
  addresses: ['GET', '/v1/accounts/{accountId}/addresses', false],
  addressOwnership: ['GET', '/v1/accounts/{accountId}/address-ownership', false],
  dappAddresses: ['GET', '/v1/accounts/{accountId}/dapp-addresses', false],
  connectApp: ['POST', '/v1/accounts/{accountId}/dapp-addresses', true],
  accountBalance: ['GET', '/v1/accounts/{accountId}/balance', false],
  accountChainBalance: ['GET', '/v1/accounts/{accountId}/balance/{chainId}', false],
  accountTokenBalance: ['GET', '/v1/accounts/{accountId}/balance/{chainId}/{token}', false],
  addressBalances: ['GET', '/v1/accounts/{accountId}/address-balances', false],
  fundedAddresses: ['GET', '/v1/accounts/{accountId}/funded-addresses', false],
  verifyCollectible: ['POST', '/v1/accounts/{accountId}/collectible/verify', true],
  quoteSignerPublicKey: ['GET', '/v1/.well-known/quote-signer-public-key', false],
  attribution: ['GET', '/v1/.well-known/attribution', false],
  createQuote: ['POST', '/v1/accounts/{accountId}/quote', true],
  refreshQuote: ['POST', '/v1/accounts/{accountId}/quotes/{quoteId}/refresh', true],
  unlockQuote: ['POST', '/v1/accounts/{accountId}/unlock', false],
  maxSpendable: ['POST', '/v1/accounts/{accountId}/max-spendable', false],
  swapPreview: ['POST', '/v1/accounts/{accountId}/swap-preview', false],
  offrampPreview: ['POST', '/v1/accounts/{accountId}/offramp-preview', false],
  destinationAvatar: ['GET', '/v1/accounts/{accountId}/destination-avatar', false],
  recipientAddressKind: ['GET', '/v1/accounts/{accountId}/recipient-address-kind', false],
  preparePoolRecovery: ['POST', '/v1/accounts/{accountId}/pool-recover/prepare', true],
  withdrawCollectible: ['POST', '/v1/accounts/{accountId}/collectible/withdraw', true],
  submitQuote: ['POST', '/v1/accounts/{accountId}/submit', false],
  relayStatus: ['GET', '/v1/accounts/{accountId}/relay-status/{quoteId}', false],
  accountActivities: ['GET', '/v1/accounts/{accountId}/activities', false],
  searchActivities: ['POST', '/v1/accounts/{accountId}/activities/search', false],
  pendingActivities: ['GET', '/v1/accounts/{accountId}/activities/pending', false],
  pendingActivityStatus: ['POST', '/v1/accounts/{accountId}/activities/pending/status', false],
  depositReviewSummary: ['GET', '/v1/accounts/{accountId}/deposit-review/summary', false],
  depositReview: ['GET', '/v1/accounts/{accountId}/deposit-review', false],
  markDepositReviewSeen: ['POST', '/v1/accounts/{accountId}/deposit-review/seen', false],
  skipDepositReview: ['PUT', '/v1/accounts/{accountId}/deposit-review/skipped/{address}', false],
  restoreDepositReview: ['DELETE', '/v1/accounts/{accountId}/deposit-review/skipped/{address}', false],
  activityNotes: ['GET', '/v1/accounts/{accountId}/activity-notes', false],
  writeActivityNote: ['PUT', '/v1/accounts/{accountId}/activity-notes', false],
  provenanceAddressTags: ['GET', '/v1/accounts/{accountId}/provenance-address-tags', false],
  writeProvenanceAddressTag: ['PUT', '/v1/accounts/{accountId}/provenance-address-tags/{address}', false],
  addressBook: ['GET', '/v1/accounts/{accountId}/address-book', false],
  addressBookOwnership: ['GET', '/v1/accounts/{accountId}/address-book/ownership/{address}', false],
  saveContact: ['PUT', '/v1/accounts/{accountId}/address-book/{address}', false],
  deleteContact: ['DELETE', '/v1/accounts/{accountId}/address-book/{address}', false],
  supportedChains: ['GET', '/v1/supported-chains', false],
  supportedPools: ['GET', '/v1/supported-pools', false],
  poolState: ['GET', '/v1/accounts/{accountId}/pool/state', false],
  poolCommitments: ['GET', '/v1/accounts/{accountId}/pool/commitments', false],
  settlePoolCommitments: ['PUT', '/v1/accounts/{accountId}/pool/commitments', false],
  tokenCatalog: ['GET', '/v1/token-catalog', false],
  popularTokens: ['GET', '/v1/tokens/popular', false],
  tokenLookup: ['GET', '/v1/token-lookup', false],
  accountTokens: ['GET', '/v1/accounts/{accountId}/tokens', false],
  addAccountToken: ['POST', '/v1/accounts/{accountId}/tokens', false],
  accountToken: ['GET', '/v1/accounts/{accountId}/tokens/{chainId}/{address}', false],
  simulate: ['POST', '/v1/simulate', false],
  functionSignatures: ['POST', '/v1/function-signatures', false],
  sourcifyFunction: ['GET', '/v1/clear-signing/sourcify-function', false],
  clearSigningDescriptor: ['GET', '/v1/clear-signing/descriptor', false],
} as const

/** By code of an error: whether the same request may succeed later, another one may, or none. */
export const RETRIES: Readonly<Record<keyof ErrorMembers, 'later' | 'changed' | 'never'>> = {
  BAD_REQUEST: 'changed',
  SERVER_BUSY: 'later',
  DATABASE_AWAY: 'changed',
  ANSWER_LATE: 'changed',
  CHAIN_NOT_SUPPORTED: 'changed',
  ASSET_NOT_SUPPORTED: 'changed',
  POOL_STATE_REFRESHING: 'later',
  WITHDRAWAL_AMOUNT_TOO_SMALL: 'changed',
  BURN_ADDRESS_RECIPIENT: 'changed',
  TOKEN_CONTRACT_RECIPIENT: 'changed',
  SERVICE_CONTRACT_RECIPIENT: 'changed',
  UNSUPPORTED_FEATURE: 'changed',
  MAX_GAS_PRICE: 'later',
  NO_GAS_FOR_SENDING: 'later',
  GAS_BUDGET_USED_UP: 'later',
  UNPROCESSABLE_ENTITY: 'changed',
  UNAUTHORIZED: 'changed',
  invalid_request: 'changed',
  unauthorized_client: 'never',
  unsupported_grant_type: 'changed',
  invalid_client: 'never',
  invalid_grant: 'changed',
  NAME_LOOKUPS_EXHAUSTED: 'later',
  IDEMPOTENCY_KEY_REUSED: 'changed',
  IDEMPOTENCY_KEYS_EXHAUSTED: 'changed',
  APP_BLOCKED: 'never',
  TOO_MANY_APPS: 'never',
  ADDRESS_OF_ANOTHER_APP: 'changed',
  TOKEN_METADATA_UNAVAILABLE: 'later',
  POOL_NOT_FOUND: 'changed',
  ADDRESS_NOT_SERVED: 'never',
  NAME_SERVICE_UNAVAILABLE: 'later',
  ADDRESS_KIND_UNKNOWN: 'later',
  GAS_PRICE_ABOVE_CAP: 'later',
  INSUFFICIENT_BALANCE: 'changed',
  INSUFFICIENT_FUNDS_FOR_FEES: 'changed',
  PROVENANCE_MIX: 'changed',
  FEE_TOKEN_UNPRICED: 'changed',
  SIMULATION_FAILED: 'changed',
  QUOTE_LOCK_CONFLICT: 'changed',
  IDEMPOTENT_QUOTE_ENDED: 'changed',
  DECIMALS_MISMATCH: 'changed',
  DESTINATION_INVALID: 'changed',
  DESTINATION_NOT_FOUND: 'changed',
  CONTRACT_RECIPIENT: 'changed',
  ADDRESS_POISONING_MATCH: 'changed',
  SWAP_UNAVAILABLE: 'later',
  SAME_TOKEN: 'changed',
  TOKEN_OUT_UNKNOWN: 'changed',
  SLIPPAGE_TOO_LOW: 'changed',
  SLIPPAGE_TOO_HIGH: 'changed',
  PRICE_IMPACT_TOO_HIGH: 'changed',
  AMOUNT_TOO_LOW: 'changed',
  AMOUNT_TOO_HIGH: 'changed',
  CASH_OUT_UNSUPPORTED: 'changed',
  PAYEE_REFUSED: 'changed',
  CASH_OUT_UNAVAILABLE: 'later',
  CASH_OUT_TOO_SMALL: 'changed',
  NOTHING_TO_WITHDRAW: 'changed',
  WITHDRAWAL_TOO_LARGE: 'changed',
  WITHDRAWAL_LEAVES_TOO_LITTLE: 'changed',
  WITHDRAWAL_UNDER_WAY: 'changed',
  TOLD_SPENDS_FULL: 'never',
  POOL_DEAD: 'never',
  DEPOSIT_AMOUNT_TOO_SMALL: 'changed',
  DEPOSIT_AMOUNT_TOO_LARGE: 'changed',
  PRECOMMITMENTS_NEEDED: 'changed',
  PRECOMMITMENT_INVALID: 'changed',
  PRECOMMITMENT_ALREADY_USED: 'changed',
  DEPOSIT_INDEX_TAKEN: 'changed',
  DEPOSIT_INDEX_GAP: 'changed',
  NOT_OWN_ADDRESS: 'changed',
  CALL_TO_OWN_ACCOUNT: 'changed',
  ALREADY_RECOVERED: 'never',
  RECOVER_MISMATCH: 'changed',
  NOTE_SPENT: 'changed',
  PUBLIC_LINK: 'changed',
  INVALID_PROOF: 'changed',
  RECOVERY_UNDER_WAY: 'changed',
  COLLECTIBLE_UNDER_WAY: 'changed',
  QUOTE_NOT_REFRESHABLE: 'changed',
  QUOTE_SUBMITTED: 'never',
  RECOVER_CALLDATA_INVALID: 'changed',
  FEES_EXCEED_VALUE: 'later',
  COLLECTIBLE_RECIPIENT_OWN: 'changed',
  COLLECTIBLE_WITHDRAWN_LATELY: 'changed',
  QUOTE_EXPIRED: 'changed',
  QUOTE_REFRESH_REQUIRED: 'changed',
  QUOTE_MISMATCH: 'changed',
  INVALID_SIGNATURE: 'changed',
  AUTHORIZATION_NONCE_STALE: 'changed',
  TOO_MANY_FAILED: 'later',
  TOO_MANY_UNDER_WAY: 'changed',
  REVIEW_SKIP_UNSEEN: 'changed',
  NOTES_FULL: 'changed',
  CONTACT_SIGNATURE_INVALID: 'changed',
  CONTACT_SIGNATURE_EXPIRED: 'changed',
  CONTACT_SIGNATURE_OUTDATED: 'changed',
  ADDRESS_BOOK_FULL: 'changed',
  COMMITMENT_NOT_FOUND: 'changed',
  SETTLEMENT_REFUSED: 'changed',
  CODE_MISMATCH: 'never',
  SOURCES_UNAVAILABLE: 'later',
  BINDING_UNAVAILABLE: 'changed',
}
