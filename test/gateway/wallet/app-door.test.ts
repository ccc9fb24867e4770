import { expect, it } from 'vitest'
import { openDoor, type AnswerApp, type DoorWindow } from '../../../gateway/wallet/app-window/app-door.ts'

const APP = 'https://app.example'

/** The window of a browser, whose messages the test sends. */
function openWindow() {
  const sent: [unknown, string][] = []
  const opener = { postMessage: (reply: unknown, to: string) => void sent.push([reply, to]) }
  let listener: Parameters<DoorWindow['addEventListener']>[1] = () => {}
  const door = openDoor({ opener, addEventListener: (_, given) => (listener = given) })
  const ask = (
    id: number,
    { source = opener, origin = APP, ...more }: { source?: object; origin?: string; params?: unknown[] } = {},
  ) =>
    listener({
      source,
      origin,
      data: { type: 'stealth-wallet', id, chainId: 1, method: 'personal_sign', params: [], ...more },
    })
  return { door, sent, ask }
}
const agree: AnswerApp = async ({ id }, origin, agreed) => {
  agreed()
  return { result: [id, origin] }
}
const answerOf = (id: number, answer: object) => [
  { type: 'stealth-wallet', kind: 'answer', id, ...answer },
  APP,
]
const READY = [{ type: 'stealth-wallet', kind: 'ready' }, '*']

it('the window of apps answers the page that opened it, at the origin that the browser names', async () => {
  const { door, sent, ask } = openWindow()
  door.serve(agree)
  ask(7)
  await expect.poll(() => sent.length).toBe(3)
  expect(sent).toEqual([
    READY,
    [{ type: 'stealth-wallet', kind: 'agreed', id: 7 }, APP],
    answerOf(7, { result: [7, APP] }),
  ])
  expect(door.readOrigin()).toBe(APP)
})

it('messages of other windows, of pages without an origin, and of another form get no answer', () => {
  const { door, sent, ask } = openWindow()
  door.serve(agree)
  ask(1, { source: {} })
  ask(2, { origin: 'null' })
  for (const wrong of [{ type: 'other' }, { id: '1' }, { method: 5 }, { params: {} }, { chainId: 0.5 }])
    ask(3, wrong as object)
  expect(sent).toEqual([READY])
  expect(door.readOrigin()).toBeNull()
})

it('a page of another origin that takes the place of the first one is refused', () => {
  const { door, sent, ask } = openWindow()
  door.serve(agree)
  ask(1)
  ask(2, { origin: 'https://other.example' })
  expect(sent).toContainEqual([
    expect.objectContaining({ kind: 'answer', id: 2, error: expect.objectContaining({ code: 4100 }) }),
    'https://other.example',
  ])
  expect(door.readOrigin()).toBe(APP)
})

it('a locked wallet holds the first request back, and refuses those after it', async () => {
  const { door, sent, ask } = openWindow()
  ask(1)
  ask(2)
  expect(sent.slice(1)).toEqual([answerOf(2, { error: expect.objectContaining({ code: -32002 }) })])
  const lock = door.serve(agree)
  await expect.poll(() => sent).toContainEqual(answerOf(1, { result: [1, APP] }))
  lock()
  const { length } = sent
  ask(3)
  expect(sent).toHaveLength(length)
})

it('a page has a share of requests in each minute, and none of them may be too long', async () => {
  const { door, sent, ask } = openWindow()
  door.serve(agree)
  ask(0, { params: ['x'.repeat(200_001)] })
  expect(sent).toContainEqual(answerOf(0, { error: expect.objectContaining({ code: -32602 }) }))
  for (let id = 1; id <= 120; id += 1) ask(id)
  expect(sent).toContainEqual(answerOf(120, { error: expect.objectContaining({ code: -32005 }) }))
  expect(sent).not.toContainEqual(answerOf(119, { error: expect.objectContaining({ code: -32005 }) }))
})
