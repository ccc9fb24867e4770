// All texts of the way out, of the page and of the command line. DESIGN.md of the wallet says how they speak.
import { formatUnits } from 'viem'
import {
  findJoined,
  type Holding,
  type Move,
  type MoveState,
  type Plan,
  type SearchProgress,
} from 'stealth-relay/client/recovery'
import type { Target } from './list-targets.ts'

/** A chain as texts name it. */
export interface NamedChain {
  chainId: number
  name: string
  nativeSymbol: string
}

const nameOf = (chains: readonly NamedChain[], chainId: number) =>
  chains.find((chain) => chain.chainId === chainId) ?? { name: `chain ${chainId}`, nativeSymbol: 'coin' }

/** An amount with its symbol, whole: nothing is rounded where money moves. */
const write = (amount: bigint, decimals: number, symbol: string) =>
  `${formatUnits(amount, decimals)} ${symbol}`

/** A holding in words. */
export function wordHolding(holding: Holding, chains: readonly NamedChain[]): string {
  if (holding.kind === 'coin') return write(holding.amount, 18, nameOf(chains, holding.chainId).nativeSymbol)
  if (holding.kind === 'collectible') return `Collectible no. ${holding.tokenId} of ${holding.contract}`
  if (holding.kind === 'sale') return `${write(holding.amount, holding.decimals, holding.symbol)} for sale`
  if (holding.kind === 'note') return `${write(holding.amount, holding.decimals, holding.symbol)} in a pool`
  return write(holding.amount, holding.decimals, holding.symbol || 'of a token without a name')
}

/** Below this a fee says nothing to a person: eight places are left. */
const FEE_STEP = 10n ** 10n

/** A fee in words, rounded up. */
export const describeFee = (fee: bigint, chain: NamedChain): string =>
  write(((fee + FEE_STEP - 1n) / FEE_STEP) * FEE_STEP, 18, chain.nativeSymbol)

/** A move in words, without its sender. */
export function describeMove(move: Move, chains: readonly NamedChain[]): string {
  const { nativeSymbol } = nameOf(chains, move.chainId)
  const { holding, kind, amount } = move
  if (kind === 'fees') return `Lend ${write(amount, 18, nativeSymbol)} for fees to your address ${move.to}`
  if (kind === 'recover' && holding) return `Take ${wordHolding(holding, chains)} back, in the open`
  if (kind === 'unsell' && holding) return `Take ${wordHolding(holding, chains)} back from the escrow`
  if (kind === 'coin') return `Send about ${write(amount, 18, nativeSymbol)}, all that is left`
  return `Send ${holding ? wordHolding({ ...holding, amount } as Holding, chains) : ''}`
}

/** The traces that a plan leaves on the chain, one sentence each. */
export function describeTraces(plan: Plan): string[] {
  const { moves } = plan
  const joined = findJoined(plan)
  const lent = moves.filter(({ kind }) => kind === 'fees')
  const notes = moves.filter(({ kind }) => kind === 'recover')
  const isPartlySpent = notes.some(
    ({ holding }) => holding?.kind === 'note' && holding.note.withdrawalIndex > 0,
  )
  return [
    ...joined.map(
      (group) =>
        `${group.length} of your addresses send to the same place or pay each other’s fees${joined.length > 1 ? `: ${group.join(', ')}` : ''}. From then on everybody can see that they are one person’s, with all that was ever paid to them.`,
    ),
    ...(joined.length === 0 ? ['The chain shows which address sends to which.'] : []),
    ...(new Set(moves.map(({ from }) => from.address)).size > 1 && joined.length === 0
      ? [
          'No two of them send to the same place. They move one soon after the other, though: somebody who watches closely may guess. If you later bring together what arrived, they are joined after all.',
        ]
      : []),
    ...(lent.length > 0
      ? [
          `${lent.length === 1 ? 'One address pays' : `${lent.length} times an address pays`} another’s fees. That joins the two as well.`,
        ]
      : []),
    ...(notes.length > 0
      ? [
          'Money that leaves a pool in the open comes to the address that once paid it in, and goes on with that address’s other money. It shows which deposit it was. Its privacy ends.',
        ]
      : []),
    ...(isPartlySpent
      ? [
          'One of these deposits was spent in part. Taking the rest back shows that the earlier private payments from it were yours.',
        ]
      : []),
  ]
}

/** A place with what goes there, in words; for plans with several places. */
export const describeTarget = ({ from, chainIds }: Target, chains: readonly NamedChain[]): string =>
  `Gets what ${from.join(', ')} ${from.length === 1 ? 'holds' : 'hold'} on ${chainIds.map((chainId) => nameOf(chains, chainId).name).join(', ')}`

/** Texts about destinations on the command line. */
export const DESTINATIONS = {
  bad: (text: string) =>
    `${text} is no destination: write ADDRESS, CHAIN:ADDRESS, or OWN_ADDRESS:ADDRESS, such as 10:0x…`,
  everything: (address: string) => `Everything goes to ${address}:`,
  several: 'Where it goes:',
  none: (address: string) => `${address} stays: no --to says where it goes`,
} as const

/** Texts about the Entrypoint of a chain that is not pinned. */
export const ENTRYPOINT = {
  warning:
    'A false Entrypoint can show money that is not there. Taking that back costs a fee, and tells the author of the false one which deposit is yours. Take the address from the operator of the pools, not from a message.',
  bad: (text: string) => `${text} is not an address. It is 0x and 40 digits.`,
  known: (chain: string, entrypoint: string) =>
    `The Entrypoint of ${chain} is known, and it is ${entrypoint}. Leave it out.`,
  unused: (text: string) =>
    `${text} names the Entrypoint of no chain here: write CHAIN:ADDRESS, such as 10:0x…`,
  none: (chain: string, entrypoint: string) => `There is no contract at ${entrypoint} on ${chain}.`,
} as const

/** The state of a move in words. */
export function describeState(state: MoveState | undefined): string {
  if (!state) return 'Waits'
  if (state.state === 'proving') return 'Makes the proof, a few seconds'
  if (state.state === 'sending') return 'Is signed and sent'
  if (state.state === 'waiting') return 'Sent, waits for the chain'
  if (state.state === 'failed') return `Failed: ${state.reason}`
  return 'Done'
}

/** The progress of a search in words. */
export function describeSearch({ chain, work, done }: SearchProgress): string {
  const part = `${Math.floor(done * 100)} %`
  if (work === 'addresses') return `${chain}: reads the balances of your addresses, ${part}`
  if (work === 'arrivals') return `${chain}: looks for tokens and collectibles, ${part}`
  if (work === 'sales') return `${chain}: looks for what you offered for sale, ${part}`
  return `${chain}: looks for your money in pools, ${part}`
}

/** A part of the search that a node refused. */
export const describeGap = ({ chain, work }: { chain: string; work: SearchProgress['work'] }): string =>
  work === 'sales'
    ? `${chain}: the node refused to show the events of the escrow. What you offered for sale is not in this list. Try another node.`
    : work === 'pool'
      ? `${chain}: the node refused to show the events of a pool. Money in that pool is not in this list. Try another node.`
      : `${chain}: the node refused to search its logs. Collectibles, tokens without a name here, and pools of such tokens are not in this list. Try another node.`

/** An Entrypoint without a pool that fits. */
export const describePoolless = (chain: string): string =>
  `${chain}: the Entrypoint has no pool of the coin, or of a token that was found. If you expected money in pools, compare its address.`

/** A failure in one sentence; viem's errors have a short form. */
export const wordFailure = (error: unknown): string =>
  error instanceof Error
    ? ((error as { shortMessage?: string }).shortMessage ?? error.message)
    : 'Something failed, and nothing was moved.'

/** Fixed texts of the page. */
export const PAGE = {
  title: 'The way out',
  lead: 'Brings your money to an address of yours when the service is gone. You need your backup, and a node of each network.',
  calm: [
    'This page is a file on your device. It asks only the nodes that you name.',
    'It stores nothing. Close it whenever you like, and begin again: it finds what is still there.',
    'Nothing moves before you have read the whole list and agreed to it.',
  ],
  keys: {
    title: 'Your backup',
    file: 'Backup file',
    password: 'Its password',
    open: 'Open the backup',
    wrong: 'The password does not open this file, or it is not a backup of the wallet.',
    noFile: 'Choose the file first.',
    instead: 'I have the two secrets instead',
    fileInstead: 'I have the file',
    spendKey: 'Spending key',
    viewKey: 'Viewing key',
    keyHint: '0x and 64 digits',
    badKey: 'Two keys are needed, each 0x and 64 digits of 0–9 and a–f.',
    without:
      'A passkey opens a wallet only on its own site. If that site is gone and you have no backup, this page cannot help.',
  },
  nodes: {
    title: 'Nodes',
    lead: 'A node answers for a network. It learns your addresses, and that they belong together: choose one that you trust, best your own.',
    url: (name: string) => `Node of ${name}`,
    hint: 'Such as https://… or http://127.0.0.1:8545. Empty: do not look there.',
    other: 'Node of another network',
    since: 'Look only from this block on',
    sinceHint:
      'Optional, for one network. Some nodes are slow with old blocks. Money in older pools would be missed.',
    look: 'Look for my money',
    none: 'Name one node at least.',
    refused: (url: string) => `${url} does not answer. It must be a node, and allow web pages to ask.`,
    pools: 'Pools that this page does not know',
    poolsLead: 'This page knows where the pools of some networks are. For others, name their Entrypoint.',
    entrypoint: (name: string) => `Entrypoint of ${name}`,
    otherEntrypoint: 'Entrypoint of the other network',
    more: 'Search addresses further',
    gap: 'Unused addresses, or deposits, in a row that end the search',
    moreHint: 'A name that many people looked up has many of them.',
  },
  searching: 'Looking',
  searchingLead: 'This can take some minutes. Nothing is signed.',
  found: {
    title: 'What was found',
    nothing: 'Nothing was found',
    nothingLead: 'Look on another network, with another node, or further along your addresses.',
    lead: (searched: number, last: number | null) =>
      `${searched} addresses were searched. ${last === null ? 'None was ever used.' : `The last one that was used is number ${last + 1}.`}`,
    others: 'Other tokens',
    othersLead: 'Anybody can send tokens that are worth nothing. Choose only those that you know.',
    where: 'Where it goes',
    ways: {
      all: 'One address for everything',
      chain: 'An address for each network',
      owner: 'An address for each of mine',
    },
    whereHint:
      'Addresses that send to the same place are joined for everybody to see. Different places keep them apart, as long as nobody knows that all are yours. Money in a pool goes with the address that once paid it in.',
    to: 'Send everything to',
    toOfChain: (name: string) => `Send what is on ${name} to`,
    toOfOwner: (address: string) => `Send what ${address} holds to`,
    toHint: 'An address of yours that does not depend on this service. Compare all of it.',
    badTo: 'This is not an address. It is 0x and 40 digits.',
    ownTo: 'This address belongs to the same backup. Choose one elsewhere.',
    join: 'My addresses may pay each other’s fees',
    joinHint:
      'Tokens at an address without coin cannot move by themselves. The payment joins both addresses for everybody to see.',
    plan: 'Show what would happen',
    none: 'Choose something to move.',
    privately: 'Leave pools in private instead',
    words:
      'These twelve words open your notes in other wallets of Privacy Pools, which can still withdraw in private. Whoever has the words has the money in the pools.',
  },
  review: {
    title: 'Before anything moves',
    to: 'Everything goes to',
    several: 'Where it goes',
    contract: (names: readonly string[]) =>
      `This address is a contract on ${names.join(' and ')}. Make sure that it is yours there, and takes coins and tokens.`,
    list: 'In this order',
    from: 'from',
    into: 'to',
    atMost: 'fee at most',
    traces: 'What others will see',
    short: 'Stays where it is',
    shortLine: (amount: string) =>
      `It needs ${amount} for fees. Let another address of yours pay them, or send that much to it from elsewhere and look again.`,
    dust: 'Less than the fee of moving it',
    nothing: 'None of this can pay its own way.',
    agree: (count: number) =>
      count === 1
        ? 'I have compared the address, and agree.'
        : 'I have compared each of the addresses, and agree.',
    go: (count: number) =>
      count === 1 ? 'Sign and send 1 transaction' : `Sign and send ${count} transactions`,
  },
  moving: {
    title: 'Moving',
    lead: 'Leave this page open. If it closes, nothing is lost: begin again.',
    done: 'All is home',
    doneLead: 'Every transaction is in the chain.',
    partly: 'Some of it is home',
    partlyLead: 'What failed is still where it was. Look again, and plan the rest.',
    again: 'Look again',
  },
  back: 'Back',
} as const
