import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

/** The machine of the figures, which mean nothing without it. */
export interface MachineFacts {
  cpu: string
  cores: number
  memoryMb: number
  node: string
  os: string
  /** Load of the last minute before the run: above the number of cores, other programs were busy. */
  loadBefore: number
}

export function readMachineFacts(): MachineFacts {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryMb: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    os: `${type()} ${release()} ${process.arch}`,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  }
}
