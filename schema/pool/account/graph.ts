import { checksumAddress, type Address } from 'viem'
import type { z } from 'zod'
import { addChainEdge } from '../../chain/add-chain-edge.ts'
import type { OperationContext } from '../../define/context.ts'
import { address, chainId } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'
import { addNode, type NodeRef } from '../../graph/add-node.ts'
import { connectionOf, pageComplexity, pageOfList, totalCount } from '../../graph/connections.ts'
import type { GraphFeature, GraphNodes, GraphTools } from '../../graph/graph-feature.ts'
import { operationNamed } from '../../graph/operation-named.ts'
import { token } from '../../market/tokens/model.ts'
import { poolOperations, type supportedPool } from '../state/operations.ts'
import { commitment, type poolCommitments } from './model.ts'
import { accountPoolOperations } from './operations.ts'

const { id: commitmentId, ...members } = commitment.shape

/** A note with its pool: its `id` in GraphQL is that of a node, and `commitmentId` is the one that REST has. */
export const poolNote = shape(
  'Commitment',
  'A note of the account in a pool, or a deposit on its way into it.',
  {
    commitmentId,
    chainId,
    tokenAddress: described(address, 'Token of the pool; the zero address is the native coin.'),
    ...members,
  },
)

type Note = z.input<typeof poolNote>
type PoolPlace = Pick<Note, 'chainId' | 'tokenAddress'>

const list = operationNamed(accountPoolOperations, 'poolCommitments')
const listPools = operationNamed(poolOperations, 'supportedPools')

async function readNotes(
  run: GraphTools['run'],
  context: OperationContext,
  accountId: string,
  { chainId: chain, tokenAddress }: PoolPlace,
): Promise<Note[]> {
  const input = { path: { accountId }, query: { chainId: chain, token: tokenAddress } }
  const { commitments } = (await run(list, input, context)) as z.input<typeof poolCommitments>
  const place = { chainId: chain, tokenAddress: checksumAddress(tokenAddress as Address) }
  return commitments.map(({ id, ...note }) => ({ ...note, ...place, commitmentId: id }))
}

/** The rest of a deposit; null if it is spent, or if the pool is not offered to the account. */
export async function loadNoteOf(
  run: GraphTools['run'],
  context: OperationContext,
  accountId: string,
  deposit: { chainId: number; poolAddress: string; commitmentId: string },
): Promise<Note | null> {
  const pools = (await run(listPools, {}, context)) as z.input<typeof supportedPool>[]
  const pool = pools.find((one) => one.chainId === deposit.chainId && one.poolAddress === deposit.poolAddress)
  if (!pool) return null
  const place = { chainId: pool.chainId, tokenAddress: pool.token }
  const notes = await readNotes(run, context, accountId, place)
  return notes.find(({ label }) => label === deposit.commitmentId) ?? null
}

/** `Commitment`, a note in a pool, is a node of its account, by its pool and its id there. */
export const addNoteNodes: GraphNodes = (builder, types, { run }) => {
  const keyOf = ({ chainId: chain, tokenAddress, commitmentId: id }: Note) => `${chain}:${tokenAddress}:${id}`
  addNode(builder, types, poolNote, {
    keyOf,
    async loadOwn(accountId, keys, context) {
      const pools = new Set(keys.map((key) => key.split(':').slice(0, 2).join(':')))
      const read = async (pool: string) => {
        const [chain, tokenAddress = ''] = pool.split(':')
        return readNotes(run, context, accountId, { chainId: Number(chain), tokenAddress })
      }
      const notes = (await Promise.all([...pools].map(read))).flat()
      return keys.map((key) => notes.find((note) => keyOf(note) === key) ?? null)
    },
  })
}

/** The account's notes in a pool, with their chain and token. */
export const addNoteGraph: GraphFeature = (builder, types, { run, account }) => {
  const note = types.output(poolNote, 'Commitment').type as NodeRef
  addChainEdge(builder, types, note)
  builder.objectField(note as never, 'token', (t) =>
    t.field({
      type: types.output(token, 'Token').type as never,
      nullable: true,
      description: 'The token; null where it is not known.',
      resolve: (value) => {
        const { chainId: chain, tokenAddress } = value as unknown as Note
        return `${chain}:${tokenAddress}` as never
      },
    }),
  )
  const connection = connectionOf(builder, note, {
    name: 'Commitment',
    of: 'the account’s notes in a pool',
    fields: totalCount,
  })
  builder.objectField(account, 'commitments', (t) =>
    t.field({
      type: connection as never,
      nullable: true,
      description:
        'The account’s unspent notes in a pool as far as the service knows, and deposits on their way, by depositIndex.',
      args: {
        ...t.arg.connectionArgs(),
        chainId: t.arg({ type: 'SafeInt', required: true, description: 'EIP-155 id of the chain.' }),
        token: t.arg({
          type: 'Address',
          required: true,
          description: 'Token of the pool; the zero address is the native coin.',
        }),
      },
      complexity: pageComplexity,
      async resolve({ accountId }, { chainId: chain, token: tokenAddress, ...args }, context) {
        const place = { chainId: chain, tokenAddress }
        return pageOfList(args, await readNotes(run, context, accountId, place)) as never
      },
    }),
  )
}
