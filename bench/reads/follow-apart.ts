import { followMany, type ManyFollowers } from './follow-many.ts'

/** Requests to the process of the followers, one at a time. */
export type FollowersQuestion =
  | { do: 'follow'; url: string; count: number; nullifierHash: string | null }
  | { do: 'told' }
  | { do: 'leave' }

let followers: ManyFollowers | null = null

process.on('message', (question: FollowersQuestion) => {
  void answer(question).then((told) => process.send?.({ told }))
})
process.on('disconnect', () => process.exit())

async function answer(question: FollowersQuestion): Promise<number> {
  if (question.do === 'follow') {
    const { url, count, nullifierHash } = question
    followers = await followMany(url, count, (place) => nullifierHash ?? String(1_000_000 + place))
  }
  if (question.do === 'leave') await followers?.leave()
  return followers?.told() ?? 0
}
