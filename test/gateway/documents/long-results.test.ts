import { expect, it } from 'vitest'
import { createDocumentRoom, MOST_ANSWER_BYTES } from '../../../gateway/documents/document-room.ts'
import { writeInSlices } from '../../../gateway/documents/write-in-slices.ts'

type Written = { stringify?(result: object): string; errors?: { message: string }[] }

/** Runs the plugin on the result of a document. */
async function written(result: object): Promise<Written> {
  let set: Written = result
  const { onExecuteDone } = (await writeInSlices.onExecute!({} as never)) as never as {
    onExecuteDone(given: object): Promise<void>
  }
  await onExecuteDone({ result, setResult: (other: Written) => (set = other) })
  return set
}

const items = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    'ключ "': `ж\n${place}`,
    few: [place, null, true],
    many: place % 7 === 0 ? Array.from({ length: 20 }, (__, at) => ({ at })) : [],
    none: null,
  }))

it('a long result is written as JSON.stringify writes it, with the errors that were masked meanwhile', async () => {
  const data = { a: { list: items(300), empty: {} }, b: null, c: [items(30)] }
  const { stringify } = await written({ data })
  expect(stringify?.({ data })).toBe(JSON.stringify({ data }))
  const errors = [{ message: 'masked' }]
  expect(stringify?.({ errors, data })).toBe(JSON.stringify({ errors, data }))
})

it('a short result is left as it is', async () => {
  const result = { data: { list: [1, 2, 3], text: 'x'.repeat(1_000) } }
  expect(await written(result)).toBe(result)
})

it('a document is answered with a bounded number of bytes, however its fields repeat', async () => {
  const one = { text: 'x'.repeat(1_000) }
  const { errors } = await written({
    data: { list: Array.from({ length: MOST_ANSWER_BYTES / 1_000 + 1 }, () => one) },
  })
  expect(errors).toMatchObject([
    { message: `A document is answered with at most ${MOST_ANSWER_BYTES} bytes` },
  ])
})

it('the operations of a document that begin once its answers are too long together are refused', async () => {
  const room = createDocumentRoom()
  const answer = Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(MOST_ANSWER_BYTES / 2_000) }))
  room.demand()
  await room.take(answer)
  room.demand()
  await expect(room.take(answer)).rejects.toThrow('at most')
  expect(() => room.demand()).toThrow('at most')
})
