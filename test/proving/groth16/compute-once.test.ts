import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { SHARED_HEADER_BYTES } from '../../../proving/groth16/compute-once.ts'
import { createGroth16Verifier } from '../../../proving/groth16/groth16-verifier.ts'
import { sharedBytesOf, CIRCUIT_KEYS } from '../../../proving/groth16/verification-key.ts'
import { loadProofs } from './load-proofs.ts'

const MODULE = new URL('../../../proving/groth16/compute-once.ts', import.meta.url).href

/** Runs `computeOnce` in a thread, whose bytes become [number]. It computes until its second message, or dies first. */
function startThread(shared: SharedArrayBuffer, number: number, dies = false): Worker {
  return new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    const pause = new Int32Array(workerData.pause)
    import(workerData.module).then(({ computeOnce }) => {
      const own = new Uint8Array(1)
      computeOnce(workerData.shared, () => own, () => {
        parentPort.postMessage('computing')
        if (workerData.dies) process.exit(0)
        Atomics.wait(pause, 0, 0, 200)
        own[0] = workerData.number
      })
      parentPort.postMessage(own[0])
    })`,
    {
      eval: true,
      workerData: { shared, number, dies, module: MODULE, pause: new SharedArrayBuffer(4) },
    },
  )
}

const next = async (thread: Worker): Promise<unknown> => ((await once(thread, 'message')) as unknown[]).at(0)

test('of several threads one computes, and the others use its result', async () => {
  const shared = new SharedArrayBuffer(SHARED_HEADER_BYTES + 1)
  const first = startThread(shared, 7)
  expect(await next(first)).toBe('computing')
  const others = [startThread(shared, 8), startThread(shared, 9)]
  expect(await Promise.all([first, ...others].map(next))).toEqual([7, 7, 7])
})

test('if the computing thread dies, the others compute for themselves', async () => {
  const shared = new SharedArrayBuffer(SHARED_HEADER_BYTES + 1)
  const first = startThread(shared, 7, true)
  expect(await next(first)).toBe('computing')
  const second = startThread(shared, 8)
  expect(await next(second)).toBe('computing')
  expect(await next(second)).toBe(8)
})

test('a verifier with tables of another one accepts and refuses the same proofs', async () => {
  const shared = new SharedArrayBuffer(sharedBytesOf(CIRCUIT_KEYS.withdraw))
  const [one, other] = [
    await createGroth16Verifier(CIRCUIT_KEYS, 4, shared),
    await createGroth16Verifier(CIRCUIT_KEYS, 4, shared),
  ]
  const real = loadProofs('withdraw').slice(0, 2)
  const wrong = real.map((vector) => ({ ...vector, publicSignals: vector.publicSignals.toReversed() }))
  for (const proofs of [real, wrong, real.slice(0, 1), wrong.slice(0, 1)])
    expect(other.verify('withdraw', proofs)).toEqual(one.verify('withdraw', proofs))
  expect(other.verify('withdraw', real)).toEqual([{ valid: true }, { valid: true }])

  // It is these tables that are used: with others nothing is valid.
  new Uint8Array(shared, SHARED_HEADER_BYTES).fill(0)
  const spoilt = await createGroth16Verifier(CIRCUIT_KEYS, 4, shared)
  expect(spoilt.verify('withdraw', real).map(({ valid }) => valid)).toEqual([false, false])
})
