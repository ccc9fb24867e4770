/** Shows how far an order is; `part` is of what is loading, from 0 to 1. */
export type ShowProgress = (state: string, part?: number) => void
