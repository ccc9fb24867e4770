// SPDX-License-Identifier: MIT
import { bytesToHex } from 'viem'
import type { Circuit, CircuitBytes } from './prover.ts'

/** A file of a circuit: its name, its length in bytes, and its SHA-256 in hex. */
export interface PinnedFile {
  name: string
  bytes: number
  sha256: string
}

/**
 * The files of Privacy Pools v1, by hash: those of `@0xbow/privacy-pools-core-sdk` 1.0.2, `dist/node/artifacts`. Another
 * `.wasm` could write the secrets of a note into its proof.
 */
export const CIRCUIT_FILES: Readonly<Record<Circuit, { wasm: PinnedFile; zkey: PinnedFile }>> = {
  withdraw: {
    wasm: {
      name: 'withdraw.wasm',
      bytes: 2_607_967,
      sha256: '36cda22791def3d520a55c0fc808369cd5849532a75fab65686e666ed3d55c10',
    },
    zkey: {
      name: 'withdraw.zkey',
      bytes: 17_793_015,
      sha256: '2a893b42174c813566e5c40c715a8b90cd49fc4ecf384e3a6024158c3d6de677',
    },
  },
  commitment: {
    wasm: {
      name: 'commitment.wasm',
      bytes: 2_380_442,
      sha256: '254d2130607182fd6fd1aee67971526b13cfe178c88e360da96dce92663828d8',
    },
    zkey: {
      name: 'commitment.zkey',
      bytes: 901_233,
      sha256: '494ae92d64098fda2a5649690ddc5821fcd7449ca5fe8ef99ee7447544d7e1f3',
    },
  },
}

/** True if the content is that of the file. */
export async function isPinnedFile(
  content: Uint8Array<ArrayBuffer>,
  { sha256 }: PinnedFile,
): Promise<boolean> {
  const hash = await crypto.subtle.digest('SHA-256', content)
  return bytesToHex(new Uint8Array(hash)) === `0x${sha256}`
}

/**
 * Loads the files of a circuit by fetch, for `createProver`. `folder` is their URL, such as `/circuits`.
 * @throws Error for a file that does not come, or has another hash.
 */
export const fetchCircuits =
  (folder: string) =>
  async (circuit: Circuit): Promise<CircuitBytes> => {
    const load = async (file: PinnedFile) => {
      const answer = await fetch(`${folder}/${file.name}`)
      if (!answer.ok) throw new Error(`${file.name} did not come: ${answer.status}`)
      const content = new Uint8Array(await answer.arrayBuffer())
      if (!(await isPinnedFile(content, file)))
        throw new Error(`${file.name} is another file than the pinned one`)
      return content
    }
    const { wasm, zkey } = CIRCUIT_FILES[circuit]
    const [program, key] = await Promise.all([load(wasm), load(zkey)])
    return { wasm: program, zkey: key }
  }
