// SPDX-License-Identifier: MIT
/** Runs one step and reports it; `show` reports progress. */
export type Step = <T>(text: string, work: (show: (state: string) => void) => Promise<T>) => Promise<T>

/** Reports nothing. */
export const silently: Step = (_, work) => work(() => {})
