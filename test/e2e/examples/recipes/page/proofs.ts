import * as snarkjs from 'snarkjs'
import { createProver, fetchCircuits, serveProofs } from 'stealth-relay/client/pool'

// The script of the worker. Its files are compared with the hashes of the package.
serveProofs(createProver(snarkjs, fetchCircuits('/circuits')))
