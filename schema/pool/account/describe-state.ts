import type { z } from 'zod'
import type { PoolStateAnswer, StateList } from '../../../relayer/pool/tree/account-pools.ts'
import { unpackText, type AnswerPart } from '../../../relayer/packed-text.ts'
import { createEncoder, type AnswerOf } from '../../define/encode.ts'
import { poolState } from './model.ts'

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
export async function writeState(state: PoolStateAnswer): Promise<AnswerPart[]> {
  const lists = await Promise.all(LISTS.map((name) => state[name].parts()))
  const parts = LISTS.flatMap((name, place): AnswerPart[] => [
    `${place === 0 ? '{' : ','}"${name}":[`,
    ...(lists[place] ?? []),
    ']',
  ])
  return [...parts, `,${JSON.stringify(encodeRest(describeRest(state))).slice(1)}`]
}

/** The same as values. */
export async function describeState(state: PoolStateAnswer): Promise<AnswerOf<typeof poolState>> {
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
