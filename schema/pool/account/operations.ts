import { chainNotSupported } from '../../../relayer/chain/errors.ts'
import {
  commitmentNotFound,
  poolNotFound,
  poolStateRefreshing,
  settlementRefused,
} from '../../../relayer/pool/errors.ts'
import { badRequest } from '../../../relayer/errors.ts'
import type { PoolStateAnswer, StateList } from '../../../relayer/pool/tree/account-pools.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import type { RunContext } from '../../define/context.ts'
import { rateLimitExceeded } from '../../define/errors.ts'
import { poolCommitments, poolQuery, poolState, poolStateQuery, settleBody } from './model.ts'
import type { z } from 'zod'
import { unpackText, type AnswerPart } from '../../../relayer/packed-text.ts'
import { createEncoder, type AnswerOf } from '../../define/encode.ts'

const section = 'Pools'
const errors = [chainNotSupported, poolNotFound, poolStateRefreshing]

/** Whole answers that an account may get per minute. */
const WHOLE_ANSWERS = 6
/** Most items of a GraphQL answer, because each is resolved separately. */
const MOST_BY_GRAPHQL = 50_000

export const accountPoolOperations = [
  accountQuery({
    name: 'poolState',
    field: 'poolState',
    rest: 'GET /v1/accounts/{accountId}/pool/state',
    limit: 60,
    errors,
    section,
    summary: 'All that spending from a pool needs',
    description: `The data with which a client finds its notes and proves: both trees, the spent nullifier hashes, and the account’s notes as far as the service knows them. A client that always asks in this way never reveals which notes it spends. Complete and equal to the chain’s roots, or 503 POOL_STATE_REFRESHING. A client that has a part asks for the tails, by \`fromIndex\`, \`fromSpent\` and \`aspFromIndex\`, and compares \`prefixRoot\`. Whole answers, and tails of more than 20,000 items: ${WHOLE_ANSWERS} per minute. REST has an ETag, answers 304 to If-None-Match, and compresses by gzip; GraphQL answers at most ${MOST_BY_GRAPHQL} items.`,
    input: { query: poolStateQuery },
    output: poolState,
    async run({ path, query }, context) {
      const state = await context.services.accountPools.readState(path.accountId, query)
      if (itemsOf(state) > MOST_BY_GRAPHQL)
        throw badRequest(
          `query: there are more than ${MOST_BY_GRAPHQL} items; ask by REST, or for a shorter tail`,
        )
      await countWhole(state, context)
      return describeState(state)
    },
    async answerInParts({ path, query }, context) {
      const state = await context.services.accountPools.readState(path.accountId, query)
      return {
        version: state.version,
        async parts() {
          await countWhole(state, context)
          return writeState(state)
        },
      }
    },
  }),
  accountQuery({
    name: 'poolCommitments',
    field: 'poolCommitments',
    instead: 'Account.commitments',
    rest: 'GET /v1/accounts/{accountId}/pool/commitments',
    errors,
    section,
    summary: 'The account’s notes in a pool',
    description: 'The notes of `poolState` alone, without the data for finding and spending them.',
    input: { query: poolQuery },
    output: poolCommitments,
    run: async ({ path, query }, { services }) => services.accountPools.readNotes(path.accountId, query),
  }),
  accountMutation({
    name: 'settlePoolCommitments',
    rest: 'PUT /v1/accounts/{accountId}/pool/commitments',
    limit: 30,
    errors: [...errors, commitmentNotFound, settlementRefused],
    section,
    summary: 'Say what is left of the notes',
    description:
      'For a wallet that spent without reporting it and wants its account to show the remainder. Report later, and several spends at once, because the difference shows how much was withdrawn. The service cannot check it; a remainder can only become smaller. The same again changes nothing; all of it is written, or nothing. It is stored encrypted. Answers the notes then.',
    input: { body: settleBody },
    output: poolCommitments,
    run: async ({ path, body }, { services }) =>
      services.accountPools.settle(path.accountId, body, body.notes),
  }),
]

const itemsOf = ({ leaves, aspLeaves, spentNullifiers, ragequits }: PoolStateAnswer): number =>
  leaves.count + aspLeaves.count + spentNullifiers.count + ragequits.count

/** @throws ServiceError `too-many-requests` for a whole answer beyond those per minute. */
async function countWhole({ isWhole }: PoolStateAnswer, context: RunContext): Promise<void> {
  const { principal, limiter } = context
  if (!isWhole || !principal) return
  const quota = await limiter.take({
    operation: 'poolStateWhole',
    limit: WHOLE_ANSWERS,
    client: { principal: principal.id },
  })
  context.onQuota?.(quota)
  if (!quota.exceeded) return
  throw rateLimitExceeded(
    `Rate limit exceeded. Maximum ${WHOLE_ANSWERS} whole answers per 1 minute: ask for a tail.`,
    { retryAfterSeconds: quota.resetSeconds },
  )
}

const LISTS = ['leaves', 'aspLeaves', 'spentNullifiers', 'ragequits'] as const

const encodeRest = createEncoder(
  poolState.omit({ leaves: true, aspLeaves: true, spentNullifiers: true, ragequits: true }),
)

/** The answer without its long lists. */
function describeRest(state: PoolStateAnswer) {
  const { currentRoot, treeSize, prefixRoot, aspRoot, crowd, notes } = state
  return { currentRoot, treeSize, prefixRoot, aspRoot, crowd, ...notes }
}

/** The JSON of the answer, with its lists as they are stored. */
async function writeState(state: PoolStateAnswer): Promise<AnswerPart[]> {
  const lists = await Promise.all(LISTS.map((name) => state[name].parts()))
  const parts = LISTS.flatMap((name, place): AnswerPart[] => [
    `${place === 0 ? '{' : ','}"${name}":[`,
    ...(lists[place] ?? []),
    ']',
  ])
  return [...parts, `,${JSON.stringify(encodeRest(describeRest(state))).slice(1)}`]
}

/** The same as values. */
async function describeState(state: PoolStateAnswer): Promise<AnswerOf<typeof poolState>> {
  const [leaves, aspLeaves, spentNullifiers, ragequits] = [
    await readList<string>(state.leaves),
    await readList<string>(state.aspLeaves),
    await readList<Item<'spentNullifiers'>>(state.spentNullifiers),
    await readList<Item<'ragequits'>>(state.ragequits),
  ]
  return { leaves, aspLeaves, spentNullifiers, ragequits, ...describeRest(state) }
}

type Item<List extends 'spentNullifiers' | 'ragequits'> = z.output<typeof poolState>[List][number]

/** Reads part by part, each in a turn of the event loop of its own. */
async function readList<Value>(list: StateList): Promise<Value[]> {
  const items: Value[] = []
  for (const part of await list.parts()) {
    const text = typeof part === 'string' ? part : (await unpackText(part)).toString('latin1')
    if (text !== ',') for (const item of JSON.parse(`[${text}]`) as Value[]) items.push(item)
  }
  return items
}
