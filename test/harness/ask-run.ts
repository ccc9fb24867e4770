import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import type { DeployedChain } from './deployed-chains.ts'
import type { DatabaseServer } from './global-setup.ts'

/** Parts that the tests of a run share. Each is made once, when the first test asks for it. */
export interface RunQuestions {
  database: { asks: null; gets: DatabaseServer }
  /** Returns the path of the chain's state file. */
  deployedChain: { asks: DeployedChain; gets: string }
}

/** @throws Error with the reason why the run cannot provide it. */
export async function askRun<Name extends keyof RunQuestions>(
  name: Name,
  asks: RunQuestions[Name]['asks'],
): Promise<RunQuestions[Name]['gets']> {
  const socket = connect({ path: inject('runSocket'), allowHalfOpen: true })
  socket.end(JSON.stringify({ name, asks }))
  const answer = JSON.parse(await text(socket)) as { gets: RunQuestions[Name]['gets'] } | { error: string }
  if ('error' in answer) throw new Error(`The run has no ${name} for this test: ${answer.error}`)
  return answer.gets
}
