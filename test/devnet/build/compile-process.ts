import { compileContracts } from './compile-contracts.ts'
import { exitProcess } from '../../../relayer/concurrency/run-contained.ts'

// Runs in a child process: the compiler blocks its thread, and snarkjs leaves worker threads behind.
const build = await compileContracts()
process.send?.(build, () => exitProcess(0))
