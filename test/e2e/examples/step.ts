/** Does a part of the work and tells somebody that it goes on; `show` says how far it is. */
export type Step = <T>(text: string, work: (show: (state: string) => void) => Promise<T>) => Promise<T>

/** Tells nobody. */
export const silently: Step = (_, work) => work(() => {})
